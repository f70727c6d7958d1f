/* CPU profiles of V8, and all that a profile has of them. ' stands for ". */
#include "engine/format/named.h"
#include "tests/support/profile_text.h"
#include "tests/support/suite.h"

/* A root (1), run (2) in it, a native function (3) in that, the idle one (4)
 * and one without a name or a line (5). */
#define NODES                                                                  \
    "{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},"                 \
    "'children':[2,4,5]},"                                                     \
    "{'id':2,'callFrame':{'functionName':'run','url':'file:///s.js',"          \
    "'lineNumber':6},'children':[3]},"                                         \
    "{'id':3,'callFrame':{'functionName':'fill','url':'','lineNumber':-1}},"   \
    "{'id':4,'callFrame':{'functionName':'(idle)'}},"                          \
    "{'id':5,'callFrame':{'functionName':'','url':'u.js','lineNumber':-1}}],"

static const struct profile_text_file files[] = {
    {NODES "'startTime':1000,'endTime':2500,'samples':[2,3,4,5,1,3],"
           "'timeDeltas':[100,250,300,-5,0,200]}",
     "cpu-samples, every 195000, for 1500000\n"
     "not in the format: processes, threads, addresses, losses\n"
     "sample x 6\n"
     "process - : 0\n"
     "module file:///s.js\n"
     "0 #0: run [s.js] file:///s.js:0 script\n"
     "250000 #0: fill <- run [s.js] file:///s.js:0 script\n"
     "545000 #0: (anonymous) u.js:0\n"
     "545000 #0: [no stack] [[unknown]]\n"
     "550000 #0 idle: (idle)\n"
     "745000 #0: fill <- run [s.js] file:///s.js:0 script\n"},
    /* Differences that make no sense; samples of nodes that are not there. */
    {NODES "'startTime':0,'endTime':1e15,'samples':[2,7,3,2,2],"
           "'timeDeltas':[0,1e12,1e11,10,30]}",
     "cpu-samples, every 30000, for 1100000000040000\n"
     "not in the format: processes, threads, addresses, losses\n"
     "sample x 4\n"
     "malformed: 1\n"
     "process - : 0\n"
     "module file:///s.js\n"
     "0 #0: run [s.js] file:///s.js:0 script\n"
     "1100000000000000 #0: fill <- run [s.js] file:///s.js:0 script\n"
     "1100000000010000 #0: run [s.js] file:///s.js:0 script\n"
     "1100000000040000 #0: run [s.js] file:///s.js:0 script\n"},
    {NODES "'samples':[2],'timeDeltas':[5]}",
     "cpu-samples\n"
     "not in the format: processes, threads, addresses, losses\n"
     "sample x 1\n"
     "process - : 0\n"
     "module file:///s.js\n"
     "0 #0: run [s.js] file:///s.js:0 script\n"},
    {NODES "'samples':[2,3],'timeDeltas':[5,6]}",
     "cpu-samples, every 6000, for 6000\n"
     "not in the format: processes, threads, addresses, losses\n"
     "sample x 2\n"
     "process - : 0\n"
     "module file:///s.js\n"
     "0 #0: run [s.js] file:///s.js:0 script\n"
     "6000 #0: fill <- run [s.js] file:///s.js:0 script\n"},
    /* Parents instead of children; the first that names a node has it. */
    {"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'}},"
     "{'id':2,'callFrame':{'functionName':'a'},'parent':1,'children':[4]},"
     "{'id':3,'callFrame':{'functionName':'b'},'parent':2,'children':[4]},"
     "{'id':4,'callFrame':{'functionName':'c'},'parent':3},"
     "{'id':5,'callFrame':{'functionName':'d'},'parent':99}],"
     "'samples':[3,4,5]}",
     "cpu-samples\n"
     "not in the format: modules, processes, threads, times, addresses, "
     "losses\n"
     "sample x 3\n"
     "process - : 0\n"
     "0 #0: b <- a\n"
     "0 #0: c <- a\n"
     "0 #0: d\n"},
    /* Hits that stand for more than samples. */
    {"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'hitCount':1,"
     "'children':[2]},{'id':2,'callFrame':{'functionName':'a'},"
     "'hitCount':4}],'samples':[2,2],'timeDeltas':[1,1]}",
     "cpu-samples, every 1000, for 1000\n"
     "not in the format: modules, processes, threads, addresses, losses\n"
     "sample x 2\n"
     "process - : 0\n"
     "0 #0 x2: a\n"
     "1000 #0 x2: a\n"},
    {"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'hitCount':0,"
     "'children':[2]},{'id':2,'callFrame':{'functionName':'a'},"
     "'hitCount':4294967295}],'samples':[2,2],'timeDeltas':[1,1]}",
     "cpu-samples, every 1000, for 1000\n"
     "not in the format: modules, processes, threads, addresses, losses\n"
     "sample x 2\n"
     "process - : 0\n"
     "0 #0 x2147483648: a\n"
     "1000 #0 x2147483647: a\n"},
    /* The last sample only ends the one before, if the root was not hit. */
    {"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'hitCount':1,"
     "'children':[2]},{'id':2,'callFrame':{'functionName':'a'},"
     "'hitCount':1}],'samples':[2,1],'timeDeltas':[1,1]}",
     "cpu-samples, every 1000, for 1000\n"
     "not in the format: modules, processes, threads, addresses, losses\n"
     "sample x 2\n"
     "process - : 0\n"
     "0 #0: a\n"
     "1000 #0: [no stack] [[unknown]]\n"},
    {"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'hitCount':0,"
     "'children':[2]},{'id':2,'callFrame':{'functionName':'a'},"
     "'hitCount':1}],'samples':[2,1,1],'timeDeltas':[1,1,1]}",
     "cpu-samples, every 1000, for 2000\n"
     "not in the format: modules, processes, threads, addresses, losses\n"
     "sample x 3\n"
     "process - : 0\n"
     "0 #0: a\n"
     "1000 #0: [no stack] [[unknown]]\n"
     "2000 #0: [no stack] [[unknown]]\n"},
    /* Older ones: a tree, and seconds. */
    {"{'head':{'functionName':'(root)','id':1,'hitCount':0,'children':["
     "{'functionName':'a','url':'x.js','lineNumber':3,'id':2,'hitCount':7,"
     "'children':[{'functionName':'b','id':3,'hitCount':2}]}]},"
     "'startTime':1,'endTime':2.5}",
     "cpu-samples, for 1500000000\n"
     "not in the format: processes, threads, times, addresses, losses\n"
     "sample x 2\n"
     "process - : 0\n"
     "module x.js\n"
     "0 #0 x7: a [x.js] x.js:0 script\n"
     "0 #0 x2: b <- a [x.js] x.js:0 script\n"},
    {"{'head':{'functionName':'(root)','id':1,'hitCount':1},"
     "'startTime':0,'endTime':1000000}",
     "cpu-samples, for 1000000000\n"
     "not in the format: modules, processes, threads, times, addresses, "
     "losses\n"
     "sample x 1\n"
     "process - : 0\n"
     "0 #0: [no stack] [[unknown]]\n"},
    /* Differences up to a million seconds; the middle one is the interval. */
    {"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'children':[2]},"
     "{'id':2,'callFrame':{'functionName':'a'}}],'startTime':0,"
     "'endTime':999999999999999,'samples':[2,2,2,2],"
     "'timeDeltas':[999999999999,1,7,3]}",
     "cpu-samples, every 3000, for 999999999999998976\n"
     "not in the format: modules, processes, threads, addresses, losses\n"
     "sample x 4\n"
     "process - : 0\n"
     "0 #0: a\n"
     "1000 #0: a\n"
     "8000 #0: a\n"
     "11000 #0: a\n"},
    /* The last sample is one where others would be too few. */
    {"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'hitCount':0,"
     "'children':[2]},{'id':2,'callFrame':{'functionName':'a'},'hitCount':2}],"
     "'samples':[2,2,1],'timeDeltas':[1,1,1]}",
     "cpu-samples, every 1000, for 1000\n"
     "not in the format: modules, processes, threads, addresses, losses\n"
     "sample x 2\n"
     "process - : 0\n"
     "0 #0: a\n"
     "1000 #0: a\n"},
    {"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'hitCount':0,"
     "'children':[2]},{'id':2,'callFrame':{'functionName':'a'},"
     "'hitCount':4294967294}],'samples':[2,2]}",
     "cpu-samples\n"
     "not in the format: modules, processes, threads, times, addresses, "
     "losses\n"
     "sample x 2\n"
     "process - : 0\n"
     "0 #0 x2147483647: a\n"
     "0 #0 x2147483647: a\n"},
    /* Nodes that are their own ancestors. */
    {"{'nodes':[{'id':1,'callFrame':{'functionName':'a'},'parent':3},{'id':2,"
     "'callFrame':{'functionName':'b'},'parent':1},{'id':3,"
     "'callFrame':{'functionName':'c'},'parent':2}],'samples':[3,1]}",
     "cpu-samples\n"
     "not in the format: modules, processes, threads, times, addresses, "
     "losses\n"
     "sample x 2\n"
     "malformed: 1\n"
     "process - : 0\n"
     "0 #0: c <- b <- a\n"
     "0 #0: a\n"},
    /* A node has the parent that names it, not the one that it names. */
    {"{'nodes':[{'id':1,'callFrame':{'functionName':'a'},'children':[3]},"
     "{'id':2,'callFrame':{'functionName':'b'}},{'id':3,"
     "'callFrame':{'functionName':'c'},'parent':2},{'id':4,"
     "'callFrame':{'functionName':'m!d','url':'d.js','lineNumber':0},"
     "'parent':2}],'samples':[3,4]}",
     "cpu-samples\n"
     "not in the format: processes, threads, times, addresses, losses\n"
     "sample x 2\n"
     "process - : 0\n"
     "module m\n"
     "0 #0: c <- a\n"
     "0 #0: d [m] d.js:0 script <- b\n"},
    {"{'head':{'functionName':'(root)','id':1,'hitCount':1},'startTime':0,"
     "'endTime':999999.5}",
     "cpu-samples, for 999999500000000\n"
     "not in the format: modules, processes, threads, times, addresses, "
     "losses\n"
     "sample x 1\n"
     "process - : 0\n"
     "0 #0: [no stack] [[unknown]]\n"},
    {"{'nodes':[],'samples':[]}",
     "a: a CPU profile of V8 with neither samples nor hits of its nodes (0)"},
    {"{'nodes':[", "a: offset 0xa: no JSON: it is cut off"},
    /* What V8 counted of its own before the first sample is no sample. */
    {"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'hitCount':3,"
     "'children':[2,3]},{'id':2,'callFrame':{'functionName':'(program)'},"
     "'hitCount':9},{'id':3,'callFrame':{'functionName':'a'},'hitCount':2}],"
     "'startTime':0,'endTime':9000,'samples':[2,3,3],'timeDeltas':[5,1,-2]}",
     "cpu-samples, every 1000, for 9000000\n"
     "not in the format: modules, processes, threads, addresses, losses\n"
     "sample x 3\n"
     "process - : 0\n"
     "0 #0: a\n"
     "1000 #0: (program)\n"
     "2000 #0: a\n"},
    /* More hits than samples: the recorder kept some of them only. */
    {"{'nodes':[{'id':1,'callFrame':{'functionName':'a'},'hitCount':5},"
     "{'id':2,'callFrame':{'functionName':'b'},'hitCount':4}],"
     "'samples':[1,1],'timeDeltas':[0,1]}",
     "cpu-samples, every 1000, for 1000\n"
     "not in the format: modules, processes, threads, addresses, losses\n"
     "sample x 3\n"
     "process - : 0\n"
     "0 #0 x3: a\n"
     "1000 #0 x2: a\n"
     "1000 #0 x4: b\n"},
    /* Older files have times. */
    {"{'head':{'functionName':'(root)','id':1,'hitCount':0,'children':[{"
     "'functionName':'a','id':2,'hitCount':2}]},'startTime':5,'endTime':6,"
     "'samples':[2,2],'timestamps':[5000000,5400000]}",
     "cpu-samples, every 400000000, for 1000000000\n"
     "not in the format: modules, processes, threads, addresses, losses\n"
     "sample x 2\n"
     "process - : 0\n"
     "0 #0: a\n"
     "400000000 #0: a\n"},
    {"{'nodes':[{'id':1,'callFrame':{'functionName':'a'}}],'hits':[1]}",
     "a: "
     "a "
     "CPU profile of V8 with neither samples nor hits of its nodes (1)"},
    {"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'}}]}",
     "cpu-samples\n"
     "not in "
     "the "
     "format: "
     "modules, "
     "processes, threads, times, addresses, losses\n"
     "sample x "
     "0\n"
     "process "
     "- : 0\n"},
};

TEST_LOOP(said, COUNT(files))
{
    profile_text_check(&cpuprofile_format, &files[_i]);
}

static const struct profile_text_beginning beginnings[] = {
    {"{'nodes':[{'callFrame':{", PROBE_YES},
    {"{'startTime':1,'nodes':[{'id':1,'callFrame':{", PROBE_YES},
    {"{'head':{'functionName':'(root)'", PROBE_YES},
    {"{'samples':[1,2],'timeDeltas':[1", PROBE_MAYBE},
    {"{'nodes':[{'callframe':{", PROBE_NO},
    {"{'node':[{'callFrame':{", PROBE_NO},
    {"{'nodes':[1,{'callFrame':{", PROBE_NO},
    {"{'head':{'name':1", PROBE_NO},
    {"{'head':{'functionName':'a','selfSize':4", PROBE_NO},
    {"{'head':{'callFrame':{'functionName':'a'},'selfSize':4", PROBE_NO},
    {"{'functionName':1", PROBE_NO},
    {"{'traceEvents':[{'nodes':[{'callFrame':{", PROBE_NO},
    {"[{'nodes':[{'callFrame':{", PROBE_NO},
    {"{'samples':[1,2],'a':{'timeDeltas':[1", PROBE_NO},
    {"'nodes':[{'callFrame':{", PROBE_NO},
};

TEST_LOOP(what_is_one, COUNT(beginnings))
{
    profile_text_probe(&cpuprofile_format, &beginnings[_i]);
}
