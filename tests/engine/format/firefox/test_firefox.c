/* Firefox profiles of both layouts, and all that a profile has of them. '
 * stands for ". */
#include "engine/format/named.h"
#include "tests/support/profile_text.h"
#include "tests/support/slabs_writer.h"
#include "tests/support/suite.h"

/* One thread with these tables; strings 0 to 9. */
#define THREAD(tables, samples)                                                \
    "'threads':[{'name':'t','tid':7,'pid':'12','processName':'app'," tables    \
    "'stringArray':['f','m!g','0x1234','lib.so','h','k','http://a.org/k.js',"  \
    "'0x12x4','x (in libx.so)','file.c'],'samples':" samples "}]}"

#define META "{'meta':{'preprocessedProfileVersion':48,"

#define FLAT                                                                   \
    "'stackTable':{'frame':[0,1,2,3],'prefix':[null,0,1,null]},"               \
    "'frameTable':{'func':[0,1,2,4],'line':[3,null,5,4294967295],"             \
    "'address':[-1,4096,18,null],'inlineDepth':[0,0,0,1],"                     \
    "'category':[0,1,2,9]},"                                                   \
    "'funcTable':{'name':[0,1,2,3,4],'resource':[0,-1,1,2,3],"                 \
    "'fileName':[9,null,null,null,6]},"                                        \
    "'resourceTable':{'name':[3,3,4,5],'lib':[0,1,null,7]},"

#define LIBS                                                                   \
    "'libs':[{'name':'lib.so','path':'/usr/lib.so','debugName':'lib.so',"      \
    "'codeId':'00112233445566778899aabbccddeeff0102'},"                        \
    "{'name':'b.dll','path':'','debugName':'b.pdb',"                           \
    "'breakpadId':'0102030405060708090A0B0C0D0E0F1012'}],"

static const struct profile_text_file files[] = {
    {META "'interval':2,'startTime':1700000000000.5,'product':'Firefox',"
          "'categories':[{'name':'JavaScript'},{'name':'Kernel'},"
          "{'name':'Native'}]}," LIBS THREAD(
              FLAT, "{'stack':[2,1,3,null,9],'time':[10,20.5,30,40,50]}"),
     "thread-samples, every 2000000, for 30000000, from 1700000000000499968\n"
     "not in the format: losses\n"
     "sample x 4\n"
     "malformed: 1\n"
     "process 12 app: 7=t\n"
     "module /usr/lib.so id 00112233445566778899aabbccddeeff0102\n"
     "module m\n"
     "module b.dll b.pdb 18 guid 0403020106050807090a0b0c0d0e0f10\n"
     "module k\n"
     "0 #0: b.dll!+0x12 [b.dll] +12 <- g [m] kernel <- f [lib.so] file.c:3 "
     "script\n"
     "10500000 #0: g [m] kernel <- f [lib.so] file.c:3 script\n"
     "20000000 #0: h [k] http://a.org/k.js:0\n"
     "30000000 #0: [no stack] [[unknown]]\n"},
    /* Weights, and times between samples. */
    {META "'interval':0,'product':'samply','categories':[{'name':'Script'},"
          "{'name':'Managed'},{'name':'User'}]},'libs':[]," THREAD(
              FLAT, "{'stack':[0,0,1],'timeDeltas':[1,2,4],"
                    "'weight':[5,0,-2],'weightType':'bytes'}"),
     "bytes in bytes\n"
     "not in the format: addresses, losses\n"
     "sample x 1\n"
     "1 negative value (a difference of two profiles) left out: what is shown "
     "is what grew\n"
     "process 12 app: 7=t\n"
     "module lib.so\n"
     "module m\n"
     "0 #0 x5: f [lib.so] file.c:3 script\n"},
    {META "'interval':1e9},'libs':[]," THREAD(
         FLAT, "{'stack':[0,1,2],'time':[1,1e12,2],'weight':[1.5,"
               "null,9e12],'weightType':'tracing-ms'}"),
     "time in milliseconds e-1, for 2000000\n"
     "not in the format: losses\n"
     "sample x 3\n"
     "process 12 app: 7=t\n"
     "module lib.so\n"
     "module m\n"
     "0 #0 x10: g [m] <- f [lib.so] file.c:3\n"
     "1000000 #0 x15: f [lib.so] file.c:3\n"
     "2000000 #0 x90000000000000: 0x12 +12 <- g [m] <- f [lib.so] file.c:3\n"},
    /* A thread that counts otherwise than the first one. */
    {META "'startTime':-1},'libs':[],'threads':["
          "{'name':'a','tid':'5','pid':'x','samples':{'stack':[null]}},"
          "{'name':'b','tid':'4294967295','pid':'','samples':{'stack':[null],"
          "'weightType':'tracing-ms'}},"
          "{'name':'c','tid':'99999999999','pid':4294967294,"
          "'samples':{'stack':[null]}},"
          "{'name':'d','tid':'1:','pid':'1/','samples':{'stack':[null]}},7]}",
     "cpu-samples\n"
     "not in the format: modules, addresses, losses\n"
     "sample x 3\n"
     "thread b counts in another unit: left out\n"
     "process - : 5=a 0=d\n"
     "process 4294967294 : 0=c\n"
     "0 #0: [no stack] [[unknown]]\n"
     "0 #1: [no stack] [[unknown]]\n"
     "0 #2: [no stack] [[unknown]]\n"},
    /* Frames inlined into the one below. */
    {META "'categories':[]}," LIBS THREAD(
         "'stackTable':{'frame':[0,1,2,3],'prefix':[null,0,1,2]},"
         "'frameTable':{'func':[0,1,2,0],'address':[4096,4096,4096,"
         "8],'inlineDepth':[0,1,2,0],'line':[1,2,3,4]},"
         "'funcTable':{'name':[0,4,5],'resource':[0,0,0]},"
         "'resourceTable':{'name':[3],'lib':[0]},",
         "{'stack':[3,2,1,0]}"),
     "cpu-samples\n"
     "not in the format: addresses, losses\n"
     "sample x 4\n"
     "process 12 app: 7=t\n"
     "module /usr/lib.so id 00112233445566778899aabbccddeeff0102\n"
     "0 #0: f [lib.so] :4 <- (k [lib.so] :3 (h [lib.so] :2 f [lib.so] :1\n"
     "0 #0: (k [lib.so] :3 (h [lib.so] :2 f [lib.so] :1\n"
     "0 #0: (h [lib.so] :2 f [lib.so] :1\n"
     "0 #0: f [lib.so] :1\n"},
    /* What only texts of frames say, and libraries of other kinds. */
    {"{'meta':{'version':24,'stackwalk':1,'categories':[{'name':'Kernel'}]},"
     "'libs':[],'threads':[{'name':'g','tid':1,'pid':2,"
     "'samples':{'schema':{'stack':0,'time':1},'data':[[6,1],[8,3]]},"
     "'stackTable':{'schema':{'prefix':0,'frame':1},'data':[[null,0],[0,1],"
     "[1,2],[2,3],[3,4],[4,5],[5,6],[6,7],[7,8]]},"
     "'frameTable':{'schema':{'location':0,'category':1,'line':2},"
     "'data':[[0],[1,0],[2],[3],[4,0],[5],[6,null,8],[7],[8]]},"
     "'stringTable':['0xfF','run (http://a.org/a.js:12:3)',"
     "'x -> http://b.org/b.js:4','n (in libn.so)','plain:7',' (a.js:3)',"
     "'two (a.js:1:2:3)','http://c.org/c.js','o (p.js:)']}]}",
     "cpu-samples, for 2000000\n"
     "not in the format: addresses, losses\n"
     "sample x 2\n"
     "process 2 : 1=g\n"
     "module http://a.org/a.js\n"
     "module http://b.org/b.js\n"
     "module libn.so\n"
     "module a.js:1\n"
     "0 #0: two [a.js:1] a.js:1:8 script <-  (a.js:3) <- plain:7 kernel <- n "
     "[libn.so] <- http://b.org/b.js [b.js] http://b.org/b.js:0 script <- "
     "run [a.js] http://a.org/a.js:0 script <- 0x0\n"
     "2000000 #0: o (p.js:) <- http://c.org/c.js <- two [a.js:1] a.js:1:8 "
     "script <-  (a.js:3) <- plain:7 kernel <- n [libn.so] <- "
     "http://b.org/b.js [b.js] http://b.org/b.js:0 script <- run [a.js] "
     "http://a.org/a.js:0 script <- 0x0\n"},
    {META "'interval':1},'libs':[{'name':'c','path':'/c','debugName':'.pdb',"
          "'codeId':'0g112233445566778899aabbccddeeff'},"
          "{'name':'d','path':'/d','debugName':'d.pdb',"
          "'breakpadId':'0102030405060708090A0B0C0D0E0F'},"
          "{'name':'e','path':'/e','codeId':"
          "'00112233445566778899aabbccddeef'}]," THREAD(
              "'stackTable':{'frame':[0,1,2],'prefix':[null,0,1]},"
              "'frameTable':{'func':[0,1,2]},'funcTable':{'name':[0,4,5],"
              "'resource':[0,1,2]},'resourceTable':{'lib':[0,1,2]},",
              "{'stack':[2]}"),
     "cpu-samples, every 1000000\n"
     "not in the format: addresses, losses\n"
     "sample x 1\n"
     "process 12 app: 7=t\n"
     "module /c\n"
     "module /d\n"
     "module /e\n"
     "0 #0: k [e] <- h [d] <- f [c]\n"},
    /* Around the profile, and other processes inside of it. */
    {"{'profile':{'meta':{'preprocessedProfileVersion':1},'threads':[],"
     "'processes':[{'threads':[{'name':'p','tid':3,'pid':4,"
     "'samples':{'stack':[null]}}]}]}}",
     "cpu-samples\n"
     "not in the format: modules, addresses, losses\n"
     "sample x 1\n"
     "process 4 : 3=p\n"
     "0 #0: [no stack] [[unknown]]\n"},
    {"{'meta':{'preprocessedProfileVersion':1},'threads':[]}",
     "cpu-samples\n"
     "not in the format: modules, addresses, losses\n"
     "sample x 0\n"
     "process - : 0\n"},
    /* Names that are numbers stand for addresses, of which 0 tells nothing. */
    {"{'meta':{'preprocessedProfileVersion':48,'interval':999999999,"
     "'startTime':9e12},'libs':[],'threads':[{'tid':'4294967294','pid':'0',"
     "'stackTable':{'frame':[0,1,2,3,4],'prefix':[null,null,null,null,null]},"
     "'frameTable':{'func':[0,1,2,3,4],'address':[1,0,2,3,4]},"
     "'funcTable':{'name':[0,1,2,3,4]},'stringArray':['0x1','0x0','0y1',"
     "'x0x1','0x'],'samples':{'stack':[0,1,2,3,4,5]}}]}",
     "cpu-samples, every 999999999000000\n"
     "not in the format: modules, losses\n"
     "sample x 5\n"
     "malformed: 1\n"
     "process 0 : 4294967294\n"
     "0 #0: 0x1 +1\n"
     "0 #0: 0x0\n"
     "0 #0: 0y1\n"
     "0 #0: x0x1\n"
     "0 #0: 0x4 +4\n"},
    /* Tables of a thread's own. */
    {"{'meta':{'preprocessedProfileVersion':48,'startTime':-1},"
     "'threads':[{'tid':'','pid':'12','stackTable':{'frame':[0],"
     "'prefix':[null]},'frameTable':{'func':[0],'address':[0]},"
     "'funcTable':{'name':[0]},'stringArray':['0x1'],'samples':{'stack':[0]}},"
     "{'tid':'0','pid':'12','name':'other','stackTable':{'frame':[0,0],"
     "'prefix':[null,0]},'frameTable':{'func':[0]},'funcTable':{'name':[0]},"
     "'stringArray':['o'],'samples':{'stack':[1]}},"
     "{'tid':'99999999999999999999999','pid':'/','samples':{'stack':[null]}}]}",
     "cpu-samples\n"
     "not in the format: modules, addresses, losses\n"
     "sample x 3\n"
     "process 12 : 0 0=other\n"
     "process - : 0\n"
     "0 #0: 0x0\n"
     "0 #1: o <- o\n"
     "0 #2: [no stack] [[unknown]]\n"},
    /* Tables of all threads, and kinds of code. */
    {"{'meta':{'preprocessedProfileVersion':56,'startTime':1e12,"
     "'categories':[{'name':'JavaScript'},{'name':'Script'},{'name':'Kernel'},"
     "{'name':'Managed'},{'name':'Native'},{'name':'User'}]},"
     "'shared':{'stackTable':{'frame':[0,1,2,3,4,5,6],'prefix':[0,0,1,2,3,4,"
     "5]},'frameTable':{'func':[0,1,2,3,4,5,6],'category':[0,1,2,3,4,5,6],"
     "'line':[4294967294,1]},'funcTable':{'name':[0,1,2,3,4,5,6],"
     "'source':[0]},'sources':{'filename':[7]},'stringArray':['a','b','c','d',"
     "'e','f','g','s.js']},'threads':[{'tid':1,'pid':7,"
     "'samples':{'stack':[6]}},{'tid':2,'pid':7,'samples':{'stack':[6,1]}}]}",
     "cpu-samples, from 1000000000000000000\n"
     "not in the format: modules, addresses, losses\n"
     "sample x 3\n"
     "malformed: 1\n"
     "process 7 : 1 2\n"
     "0 #0: g <- f native <- e native <- d <- c kernel <- b :1 script <- a "
     "s.js:4294967294 script\n"
     "0 #1: g <- f native <- e native <- d <- c kernel <- b :1 script <- a "
     "s.js:4294967294 script\n"
     "0 #1: b :1 script <- a s.js:4294967294 script\n"},
    /* Places in scripts, and what only looks like one. */
    {"{'meta':{'version':24,'stackwalk':1},'libs':[],'threads':[{'tid':1,"
     "'pid':2,'samples':{'schema':{'stack':0,'time':1},'data':[[6,1]]},"
     "'stackTable':{'schema':{'prefix':0,'frame':1},'data':[[null,0],[0,1],[1,"
     "2],[2,3],[3,4],[4,5],[5,6]]},'frameTable':{'schema':{'location':0},"
     "'data':[[0],[1],[2],[3],[4],[5],[6]]},'stringTable':['f (a.js:)','f "
     "(:3)','f (a:3)','f (123)','f (12:34:56)','f (x34)','f (a.js:3']}]}",
     "cpu-samples\n"
     "not in the format: addresses, losses\n"
     "sample x 1\n"
     "process 2 : 1\n"
     "module a\n"
     "module 12\n"
     "0 #0: f (a.js:3 <- f (x34) <- f [12] 12:0 script <- f (123) <- f [a] "
     "a:0 script <- f (:3) <- f (a.js:)\n"},
    /* Identities of 16 bytes and more. */
    {"{'meta':{'preprocessedProfileVersion':48},'libs':[{'name':'a',"
     "'debugName':'a','codeId':'00112233445566778899aabbccddeeff'},"
     "{'name':'b','debugName':'b','codeId':'00112233445566778899aabbccddeef'},"
     "{'name':'c.dll','debugName':'c.pdb','breakpadId':'0102030405060708090A0B"
     "0C0D0E0F10'},{'name':'d','codeId':'00112233445566778899aabbccddeeff00112"
     "233445566778899aabbccddeeff'}],'threads':[{'stackTable':{'frame':[0,1,2,"
     "3],'prefix':[null,0,1,2]},'frameTable':{'func':[0,1,2,3]},"
     "'funcTable':{'name':[0,0,0,0],'resource':[0,1,2,3]},"
     "'resourceTable':{'lib':[0,1,2,3]},'stringArray':['f'],"
     "'samples':{'stack':[3]}}]}",
     "cpu-samples\n"
     "not in the format: addresses, losses\n"
     "sample x 1\n"
     "process - : 0\n"
     "module a id 00112233445566778899aabbccddeeff\n"
     "module b\n"
     "module c.dll c.pdb 0 guid 0403020106050807090a0b0c0d0e0f10\n"
     "module d id 00112233445566778899aabbccddeeff00112233445566778899aabbccd"
     "deeff\n"
     "0 #0: f [d] <- f [c.dll] <- f [b] <- f [a]\n"},
    /* Parts of samples and times before the start are kept. */
    {"{'meta':{'preprocessedProfileVersion':48},"
     "'threads':[{'samples':{'stack':[null,null,null],'weight':[1,0.5,0.4],"
     "'time':[-1,999999999999,3]}},{'samples':{'stack':[null],"
     "'weightType':'bytes'}}]}",
     "cpu-samples e-1, for 1000000000000000064\n"
     "not in the format: modules, addresses, losses\n"
     "sample x 3\n"
     "thread  counts in another unit: left out\n"
     "process - : 0\n"
     "0 #0 x10: [no stack] [[unknown]]\n"
     "4000000 #0 x4: [no stack] [[unknown]]\n"
     "1000000000000000064 #0 x5: [no stack] [[unknown]]\n"},
    {"{'meta':{'preprocessedProfileVersion':48}",
     "a: offset 0x29: no JSON: it is cut off"},
    /* From version 66 on stacks say how far before them their prefix is, from
     * 70 on frames which library they are in. */
    {"{'meta':{'preprocessedProfileVersion':70}," LIBS THREAD(
         "'stackTable':{'frame':[0,1,2,0],'prefixOffset':[0,1,2,9]},"
         "'frameTable':{'func':[0,1,2],'lib':[-1,0,1],'address':[-1,16,32]},"
         "'funcTable':{'name':[0,2,4],'resource':[-1,0,0]},"
         "'resourceTable':{'name':[3]},",
         "{'stack':[1,2,3,-1],'time':[1,2,3,4]}"),
     "cpu-samples, for 3000000\n"
     "not in the format: losses\n"
     "sample x 4\n"
     "malformed: 1\n"
     "process 12 app: 7=t\n"
     "module /usr/lib.so id 00112233445566778899aabbccddeeff0102\n"
     "module b.dll b.pdb 18 guid 0403020106050807090a0b0c0d0e0f10\n"
     "module lib.so\n"
     "0 #0: lib.so!+0x10 [lib.so] +10 <- f\n"
     "1000000 #0: h [lib.so] <- f\n"
     "2000000 #0: f\n"
     "3000000 #0: [no stack] [[unknown]]\n"},
    /* From 71 on flags say which columns count. */
    {"{'meta':{'preprocessedProfileVersion':80}," LIBS THREAD(
         "'stackTable':{'frame':[0,1,2],'prefixOffset':[0,1,1]},"
         "'frameTable':{'func':[0,1,2],'lib':[0,0,0],'address':[0,16,16],"
         "'line':[0,7,8],'flags':[0,18,19]},"
         "'funcTable':{'name':[0,4,5],'resource':[0,0,0],'source':[0,0,0],"
         "'flags':[0,8,12]},'sources':{'filename':[9]},"
         "'resourceTable':{'name':[3]},",
         "{'stack':[2]}"),
     "cpu-samples\n"
     "not in the format: addresses, losses\n"
     "sample x 1\n"
     "process 12 app: 7=t\n"
     "module /usr/lib.so id 00112233445566778899aabbccddeeff0102\n"
     "0 #0: (k [lib.so] file.c:8 h [lib.so] file.c:7 <- f\n"},
    /* One that is newer than any that was tried. */
    {"{'meta':{'preprocessedProfileVersion':81},'libs':[]," THREAD(
         "'stackTable':{'frame':[0],'prefixOffset':[0]},"
         "'frameTable':{'func':[0]},'funcTable':{'name':[0]},",
         "{'stack':[0]}"),
     "cpu-samples\n"
     "not in the format: modules, addresses, losses\n"
     "sample x 1\n"
     "processed profile version 81 is newer than 80, the newest that is "
     "known: compare it with what profiler.firefox.com shows\n"
     "process 12 app: 7=t\n"
     "0 #0: f\n"},
    /* Without the columns that stacks need there are no stacks. */
    {"{'meta':{'preprocessedProfileVersion':81},'libs':[]," THREAD(
         "'stackTable':{'frame':[0],'parent':[0]},"
         "'frameTable':{'func':[0]},'funcTable':{'name':[0]},",
         "{'stack':[0]}"),
     "a: processed profile version 81: stackTable has no column \"prefix\" "
     "or \"prefixOffset\""},
    {"{'meta':{'version':40},'libs':[]," THREAD(
         "'stackTable':{'schema':{'prefix':0},'data':[[null,0]]},",
         "{'stack':[0]}"),
     "a: Gecko profile version 40: stackTable has no column \"frame\""},
    {META "'a':1},'libs':[]," THREAD(
         "'stackTable':{'frame':[0],'prefix':[null]},'frameTable':{'x':[0]},",
         "{'stack':[0]}"),
     "a: processed profile version 48: frameTable has no column \"func\" or "
     "\"location\""},
    {META
     "'a':1},'libs':[]," THREAD("'stackTable':{'frame':[0],'prefix':[null]},"
                                "'frameTable':{'func':[0]},'funcTable':{},",
                                "{'stack':[0]}"),
     "a: processed profile version 48: funcTable has no column \"name\""},
    {META "'a':1},'libs':[]}", "a: a Firefox profile without threads"},
    /* Times of a size profile are bytes; differences may be negative. */
    {META "'sampleUnits':{'time':'bytes'}},'libs':[]," THREAD(
         "'stackTable':{'frame':[0],'prefix':[null]},"
         "'frameTable':{'func':[0]},'funcTable':{'name':[0]},",
         "{'stack':[0,0],'time':[5,9]}"),
     "cpu-samples\n"
     "not in the format: modules, times, addresses, losses\n"
     "sample x 2\n"
     "process 12 app: 7=t\n"
     "0 #0: f\n"
     "0 #0: f\n"},
    {META "'appBuildID':'1','startTime':1000},'libs':[]," THREAD(
         "'stackTable':{'frame':[0],'prefix':[null]},"
         "'frameTable':{'func':[0]},'funcTable':{'name':[0]},",
         "{'stack':[0,0,0],'timeDeltas':[5000,2,-1]}"),
     "cpu-samples, for 2000000, from 6000000000\n"
     "not in the format: modules, addresses, losses\n"
     "sample x 3\n"
     "process 12 app: 7=t\n"
     "0 #0: f\n"
     "1000000 #0: f\n"
     "2000000 #0: f\n"},
    /* Another process' times count from its own start. */
    {"{'meta':{'version':24,'startTime':1000},'libs':[],'threads':[{'samples':"
     "{'schema':{'stack':0,'time':1},'data':[[null,5]]}}],'processes':["
     "{'meta':{'startTime':1010},'libs':[],'threads':[{'samples':"
     "{'schema':{'stack':0,'time':1},'data':[[null,2]]}}]}]}",
     "cpu-samples, for 7000000, from 1000000000\n"
     "not in the format: modules, addresses, losses\n"
     "sample x 2\n"
     "process - : 0 0\n"
     "0 #0: [no stack] [[unknown]]\n"
     "7000000 #1: [no stack] [[unknown]]\n"},
    /* Before version 41 libraries are a thread's. */
    {"{'meta':{'preprocessedProfileVersion':30},'threads':[{" LIBS
     "'stackTable':{'frame':[0],'prefix':[null]},'frameTable':{'func':[0]},"
     "'funcTable':{'name':[0],'resource':[0]},"
     "'resourceTable':{'lib':[0],'name':[1]},'stringArray':['f','lib.so'],"
     "'samples':{'stack':[0]}}]}",
     "cpu-samples\n"
     "not in the format: addresses, losses\n"
     "sample x 1\n"
     "process - : 0\n"
     "module /usr/lib.so id 00112233445566778899aabbccddeeff0102\n"
     "0 #0: f [lib.so]\n"},
    /* Addresses in memory; sources that only a table names. */
    {"{'meta':{'version':32},'libs':[{'name':'b','path':'/b','start':4096,"
     "'end':8192,'offset':256},{'name':'a','path':'/a','start':16,'end':32}],"
     "'sources':{'schema':{'id':0,'filename':1},'data':[['x','p.js'],"
     "['y','q.js']]},'threads':[{'samples':{'schema':{'stack':0},'data':[[6]]},"
     "'stackTable':{'schema':{'prefix':0,'frame':1},'data':[[null,0],[0,1],"
     "[1,2],[2,3],[3,4],[4,5],[5,6]]},'frameTable':{'schema':{'location':0},"
     "'data':[[0],[1],[2],[3],[4],[5],[6]]},'stringTable':['0x1010','0x1f',"
     "'0x2000','run (http://a.org/s.js:1:2)[1]','go (:3:4)[1]','at (:3:4)[2]',"
     "'index[7]']}]}",
     "cpu-samples\n"
     "not in the format: losses\n"
     "sample x 1\n"
     "process - : 0\n"
     "module /b\n"
     "module /a\n"
     "module http://a.org/s.js\n"
     "module q.js\n"
     "0 #0: index[7] <- at script <- go [q.js] q.js:0 script <- run [s.js] "
     "http://a.org/s.js:0 script <- 0x0 <- a!+0xf [a] +f <- b!+0x110 [b] "
     "+110\n"},
    /* Samples of other layouts are no recording without samples. */
    {"{'meta':{'version':2,'stackwalk':1},'libs':'','threads':[{'samples':[{"
     "'frames':[{'location':'a'}],'time':1}]}]}",
     "a: Gecko profile version 2: samples are a list of stacks, as before "
     "Gecko's version 3"},
    {META
     "'a':1},'libs':[],'threads':[{'samples':{'length':2,'stacks':[0,0]}}]}",
     "a: processed profile version 48: samples have no column \"stack\""},
    {"{'meta':{'version':40},'libs':[],'threads':[{'samples':{'schema':{"
     "'time':0},'data':[[1]]}}]}",
     "a: Gecko profile version 40: samples have no column \"stack\""},
    {META "'a':1},'libs':[],'threads':[{'samples':{'length':0,'stack':[]}}]}",
     "cpu-samples\n"
     "not in the format: modules, addresses, losses\n"
     "sample x 0\n"
     "process - : 0\n"},
    /* Lives of one process number. */
    {META "'a':1},'libs':[],'threads':[{'tid':'7','pid':'7','processName':'a',"
          "'samples':{'stack':[null]}},{'tid':'7.1','pid':'7.1','processName':"
          "'a','samples':{'stack':[null]}},{'tid':'8','pid':'7.1',"
          "'processName':'a','samples':{'stack':[null]}},{'tid':'8.x','pid':"
          "'.1','processName':'a','samples':{'stack':[null]}}]}",
     "cpu-samples\n"
     "not in the format: modules, addresses, losses\n"
     "sample x 4\n"
     "process 7 a: 7\n"
     "process 7 a: 7 8\n"
     "process - a: 0\n"
     "0 #0: [no stack] [[unknown]]\n"
     "0 #1: [no stack] [[unknown]]\n"
     "0 #2: [no stack] [[unknown]]\n"
     "0 #3: [no stack] [[unknown]]\n"},
};

TEST_LOOP(said, COUNT(files))
{
    profile_text_check(&firefox_format, &files[_i]);
}

static const struct profile_text_beginning beginnings[] = {
    {"{'meta':{'preprocessedProfileVersion':1", PROBE_YES},
    {"{'libs':[{}],'meta':{'a':[1,{}],'preprocessedProfileVersion':0",
     PROBE_YES},
    {"{'label':'','profile':{'libs':[],'meta':{},'threads':[", PROBE_YES},
    {"{'label':'a','duration':1.5,'markers':[{'a", PROBE_MAYBE},
    {"{'threads':[{'name':'a','stackTable':{", PROBE_MAYBE},
    {"{'threads':[{'samples':{", PROBE_MAYBE},
    {"{'libs':[],'meta':{'version':9,'stackwalk':1", PROBE_MAYBE},
    /* The same words elsewhere. */
    {"{'preprocessedProfileVersion':1", PROBE_NO},
    {"{'meta':'preprocessedProfileVersion', 'a':1", PROBE_NO},
    {"{'a':{'meta':{'preprocessedProfileVersion':1", PROBE_NO},
    {"{'threads':[],'libs':[]", PROBE_NO},
    {"{'stackTable':{'frame':1", PROBE_NO},
    {"{'duration':1,'markers':[", PROBE_NO},
    {"{'profile':{'threads':{", PROBE_NO},
    {"'stackwalk':1", PROBE_NO},
};

TEST_LOOP(what_is_one, COUNT(beginnings))
{
    profile_text_probe(&firefox_format, &beginnings[_i]);
}

/* Tables whose columns are slabs (base/json_slabs.h). */
TEST(slabs)
{
    static const char root[] =
        "{'meta':{'preprocessedProfileVersion':80},'libs':[],'shared':{"
        "'stackTable':{'frame':{'$s':0},'prefixOffset':{'$s':1}},'frameTable':"
        "{'func':[0,1]},'funcTable':{'name':[0,1]},'stringArray':{'$s':2}},"
        "'threads':[{'samples':{'stack':{'$s':3},'time':{'$s':4}}}]}";
    static const uint32_t frames[] = {0, 1}, prefixes[] = {0, 1};
    static const int32_t stacks[] = {1, 0, -1};
    static const double times[] = {0.5, 1.5, 3};
    struct slabs_writer w = {.count = 0};
    char *text = profile_text_quoted(root), *said;
    struct blob file;

    slabs_add(&w, 4, frames, sizeof(frames));
    slabs_add(&w, 4, prefixes, sizeof(prefixes));
    slabs_add(&w, SLABS_JSON, "[\"a\",\"b\"]", 9);
    slabs_add(&w, 4, stacks, sizeof(stacks));
    slabs_add(&w, 7, times, sizeof(times));
    slabs_add(&w, SLABS_JSON, text, strlen(text));
    file = slabs_file(&w, 5);
    ck_assert_int_eq(firefox_format.probe(file.data, file.len), PROBE_YES);
    said = profile_text_of_bytes(&firefox_format, file.data, file.len, NULL);
    ck_assert_str_eq(said, "cpu-samples, for 2500000\n"
                           "not in the format: modules, addresses, losses\n"
                           "sample x 3\n"
                           "process - : 0\n"
                           "0 #0: b <- a\n"
                           "1000000 #0: a\n"
                           "2500000 #0: [no stack] [[unknown]]\n");
    free(said);
    file.data[8]++;
    said = profile_text_of_bytes(&firefox_format, file.data, file.len, NULL);
    ck_assert_str_eq(said, "a: version 2 of JsonSlabs is not known, only 1");
    free(said);
    free(file.data);
    free(text);
}
