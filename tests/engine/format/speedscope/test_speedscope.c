/* Files of speedscope, and all that a profile has of them. ' stands for ". */
#include "engine/format/named.h"
#include "tests/support/profile_text.h"
#include "tests/support/suite.h"

#define SHARED                                                                 \
    "{'$schema':'https://www.speedscope.app/file-format-schema.json',"         \
    "'name':'app','shared':{'frames':[{'name':'a','file':'a.c','line':3},"     \
    "{'name':'m!b'},{'name':'c','line':4294967295},{'name':'d','line':-1}]},"  \
    "'profiles':["

#define EVENTED "{'type':'evented','startValue':100,"

static const struct profile_text_file files[] = {
    /* Units, names of threads, and times of samples. */
    {SHARED "{'type':'sampled','unit':'nanoseconds','name':'main (77)',"
            "'samples':[[0],[0,1],[2],[3]],'weights':[1000,2000,3500,500]}]}",
     "time in nanoseconds, for 7000\n"
     "not in the format: processes, addresses, losses\n"
     "profile x 1\n"
     "process - app: 77=main\n"
     "module m\n"
     "0 #0 x1000: a a.c:3\n"
     "1000 #0 x2000: b [m] <- a a.c:3\n"
     "3000 #0 x3500: c\n"
     "6500 #0 x500: d\n"},
    {SHARED "{'type':'sampled','unit':'microseconds','name':'x (',"
            "'samples':[[0]],'weights':[7]},"
            "{'type':'sampled','unit':'milliseconds','name':'y  (4294967294)',"
            "'samples':[[0]],'weights':[7]},"
            "{'type':'sampled','unit':'seconds','name':'(5)',"
            "'samples':[[0]],'weights':[0.5]},"
            "{'type':'sampled','unit':'none','name':'z','samples':[[0]]}]}",
     "time in microseconds, for 500000000\n"
     "not in the format: processes, addresses, losses\n"
     "profile x 4\n"
     "profile 3 counts none, not microseconds: left out\n"
     "process - app: 1=x ( 4294967294=y 5\n"
     "module m\n"
     "0 #0 x7: a a.c:3\n"
     "0 #1 x7000: a a.c:3\n"
     "0 #2 x500000: a a.c:3\n"},
    {SHARED "{'type':'sampled','unit':'none','name':'n (4294967295)',"
            "'samples':[[0],[1],[2]],'weights':[2.4,2.5,0]},"
            "{'type':'sampled','unit':'none','name':'n (12x)',"
            "'samples':[[0]],'weights':[-1]},"
            "{'type':'sampled','unit':'none','name':'n (:1)',"
            "'samples':[[0],[9],[]],'weights':[1,1,1]},"
            "{'type':'sampled','unit':'none','name':'n (/)',"
            "'samples':[[0]],'weights':[1e19]}]}",
     "samples e-1\n"
     "not in the format: processes, times, addresses, losses\n"
     "profile x 4\n"
     "malformed: 1\n"
     "1 negative value (a difference of two profiles) left out: what is shown "
     "is what grew\n"
     "1 value over 9000000000000000000 left out\n"
     "process - app: 1=n (4294967295) 2=n (12x) 3=n (:1) 4=n (/)\n"
     "module m\n"
     "0 #0 x24: a a.c:3\n"
     "0 #0 x25: b [m]\n"
     "0 #2 x10: a a.c:3\n"
     "0 #2 x10: [no stack] [[unknown]]\n"
     "0 #2 x10: [no stack] [[unknown]]\n"},
    /* What is open when nothing happens for a while. */
    {SHARED EVENTED "'unit':'microseconds','events':["
                    "{'type':'O','frame':0,'at':100},"
                    "{'type':'O','frame':1,'at':110},"
                    "{'type':'O','frame':1,'at':115},"
                    "{'type':'C','frame':1,'at':120},"
                    "{'type':'C','frame':1,'at':130},"
                    "{'type':'C','frame':2,'at':135},"
                    "{'type':'O','frame':2,'at':120},"
                    "{'type':'C','frame':0,'at':150},"
                    "{'type':'O','frame':3,'at':170},"
                    "{'type':'C','frame':3,'at':180},"
                    "{'type':'O','frame':4,'at':190}]}]}",
     "time in microseconds, for 90000\n"
     "not in the format: processes, addresses, losses\n"
     "profile x 1\n"
     "malformed: 3\n"
     "process - app: 1\n"
     "module m\n"
     "0 #0 x10: a a.c:3\n"
     "10000 #0 x5: b [m] <- a a.c:3\n"
     "15000 #0 x5: b [m] <- b [m] <- a a.c:3\n"
     "20000 #0 x10: b [m] <- a a.c:3\n"
     "30000 #0 x5: a a.c:3\n"
     "35000 #0 x15: c <- a a.c:3\n"
     "70000 #0 x10: d\n"},
    {"{'profiles':[],'shared':{'frames':7}}", "a: no profile of speedscope"},
    {"{'profiles':{},'shared':{'frames':[]}}", "a: no profile of speedscope"},
    /* Numbers of threads: the largest, and what follows or stands for one. */
    {"{'shared':{'frames':[{'name':'a','line':4294967294}]},"
     "'profiles':[{'type':'sampled','unit':'none','name':'t (0)',"
     "'samples':[[0]],'weights':[1]},{'type':'sampled','unit':'none',"
     "'name':'t (9','samples':[[0]],'weights':[1]},{'type':'sampled',"
     "'unit':'none','name':'(a) (4294967296)','samples':[[0]],'weights':[1]},"
     "{'type':'sampled','unit':'none','name':'(7)','samples':[[0]],"
     "'weights':[1]},{'type':'sampled','unit':'none',"
     "'name':'99999999999999999999 (99999999999999999999)','samples':[[0]],"
     "'weights':[1]}]}",
     "samples\n"
     "not in the format: modules, processes, times, addresses, losses\n"
     "profile x 5\n"
     "process - : 0=t 2=t (9 3=(a) (4294967296) 7 5=99999999999999999999 "
     "(99999999999999999999)\n"
     "0 #0: a :4294967294\n"
     "0 #1: a :4294967294\n"
     "0 #2: a :4294967294\n"
     "0 #3: a :4294967294\n"
     "0 #4: a :4294967294\n"},
    /* The longest profile is the recording; what is outside takes no time. */
    {"{'shared':{'frames':[{'name':'a'},{'name':'b'}]},"
     "'profiles':[{'type':'sampled','unit':'milliseconds','name':'p',"
     "'samples':[[0],[1]],'weights':[5,-1]},{'type':'evented',"
     "'unit':'milliseconds','name':'q','startValue':2,'events':[{'type':'C',"
     "'frame':0,'at':3},{'type':'O','frame':0,'at':3},{'type':'O','frame':2,"
     "'at':4},{'type':'C','frame':0,'at':6}]}]}",
     "time in milliseconds, for 6000000\n"
     "not in the format: modules, processes, addresses, losses\n"
     "profile x 2\n"
     "malformed: 2\n"
     "1 negative value (a difference of two profiles) left out: what is shown "
     "is what grew\n"
     "process - : 1=p 2=q\n"
     "0 #0 x5: a\n"
     "3000000 #1: a\n"
     "4000000 #1 x2: a\n"},
    /* Weights that are no numbers of a sample. */
    {"{'shared':{'frames':[{'name':'a'}]},'profiles':[{'type':'sampled',"
     "'unit':'none','name':'p','samples':[[0],[0],[0]],'weights':[8000000,"
     "-0.4,-0.6]}]}",
     "samples\n"
     "not in the format: modules, processes, times, addresses, losses\n"
     "profile x 1\n"
     "2 negative values (a difference of two profiles) left out: what is shown "
     "is what grew\n"
     "process - : 1=p\n"
     "0 #0 x8000000: a\n"},
    /* Whole numbers keep all of their 63 bits. */
    {"{'shared':{'frames':[{'name':'a'}]},'profiles':[{'type':'sampled',"
     "'unit':'bytes','name':'p','samples':[[0],[0]],"
     "'weights':[4611686018427387905,9007199254740993]}]}",
     "bytes in bytes\n"
     "not in the format: modules, processes, times, addresses, losses\n"
     "profile x 1\n"
     "process - : 1=p\n"
     "0 #0 x4611686018427387905: a\n"
     "0 #0 x9007199254740993: a\n"},
    /* The unit is that of the profile which the file shows, or of the first
     * with samples; one that is not known is kept. */
    {"{'activeProfileIndex':1,'shared':{'frames':[{'name':'a'}]},'profiles':["
     "{'type':'sampled','unit':'bytes','name':'p','samples':[[0]],"
     "'weights':[3]},{'type':'sampled','unit':'joules','name':'q',"
     "'samples':[[0]],'weights':[4]}]}",
     "joules in joules\n"
     "not in the format: modules, processes, times, addresses, losses\n"
     "profile x 2\n"
     "profile 0 counts bytes, not joules: left out\n"
     "process - : 2=q\n"
     "0 #0 x4: a\n"},
    {"{'shared':{'frames':[{'name':'a'}]},'profiles':["
     "{'type':'sampled','unit':'bytes','name':'p','samples':[],"
     "'weights':[]},{'type':'evented','unit':'milliseconds','name':'q',"
     "'events':[{'type':'O','frame':0,'at':0},{'type':'C','frame':0,"
     "'at':4}]}]}",
     "time in milliseconds, for 4000000\n"
     "not in the format: modules, processes, addresses, losses\n"
     "profile x 2\n"
     "profile 0 counts bytes, not milliseconds: left out\n"
     "process - : 2=q\n"
     "0 #0 x4: a\n"},
    /* A schema that is not known. */
    {"{'$schema':'https://www.speedscope.app/file-format-schema-2.json',"
     "'shared':{'frames':[{'name':'a'}]},'profiles':[{'type':'sampled',"
     "'unit':'none','name':'p','samples':[[0]],'weights':[4]}]}",
     "samples\n"
     "not in the format: modules, processes, times, addresses, losses\n"
     "profile x 1\n"
     "its schema is \"https://www.speedscope.app/file-format-schema-2.json\", "
     "not speedscope.app/file-format-schema.json, the only one that is known: "
     "compare it with what speedscope.app shows\n"
     "process - : 1=p\n"
     "0 #0 x4: a\n"},
    /* Bytes, and fractions of seconds. */
    {"{'shared':{'frames':[{'name':'a'}]},'profiles':[{'type':'sampled',"
     "'unit':'bytes','name':'p','samples':[[0]],'weights':[120000000000]}]}",
     "bytes in bytes\n"
     "not in the format: modules, processes, times, addresses, losses\n"
     "profile x 1\n"
     "process - : 1=p\n"
     "0 #0 x120000000000: a\n"},
    {"{'shared':{'frames':[{'name':'a'}]},'profiles':[{'type':'evented',"
     "'unit':'seconds','name':'p','events':[{'type':'O','frame':0,'at':0.1},"
     "{'type':'C','frame':0,'at':0.3},{'type':'O','frame':0,'at':0.3},"
     "{'type':'C','frame':0,'at':0.315}]}]}",
     "time in seconds e-3, for 315000000\n"
     "not in the format: modules, processes, addresses, losses\n"
     "profile x 1\n"
     "process - : 1=p\n"
     "100000000 #0 x200: a\n"
     "300000000 #0 x15: a\n"},
    /* A frame that is closed with those inside of it. */
    {"{'shared':{'frames':[{'name':'a'},{'name':'b'}]},"
     "'profiles':[{'type':'evented','unit':'nanoseconds','name':'p',"
     "'events':[{'type':'O','frame':0,'at':0},{'type':'O','frame':1,"
     "'at':1000},{'type':'O','frame':1,'at':2000},{'type':'C','frame':0,"
     "'at':3000},{'type':'O','frame':1,'at':4000},{'type':'C','frame':1,"
     "'at':6000}]}]}",
     "time in nanoseconds, for 6000\n"
     "not in the format: modules, processes, addresses, losses\n"
     "profile x 1\n"
     "malformed: 1\n"
     "process - : 1=p\n"
     "0 #0 x1000: a\n"
     "1000 #0 x1000: b <- a\n"
     "2000 #0 x1000: b <- b <- a\n"
     "4000 #0 x2000: b\n"},
    {"{'shared':", "a: offset 0xa: no JSON: it is cut off"},
    /* All profiles have one clock, which begins with the first. */
    {SHARED "{'type':'sampled','unit':'seconds','name':'x','startValue':5,"
            "'samples':[[0]],'weights':[2]},{'type':'evented','unit':'seconds',"
            "'name':'y','startValue':3,'events':[{'type':'O','frame':1,'at':4},"
            "{'type':'C','frame':1,'at':6}]}]}",
     "time in seconds, for 4000000000\n"
     "not in the format: processes, addresses, losses\n"
     "profile x 2\n"
     "process - app: 1=x 2=y\n"
     "module m\n"
     "1000000000 #1 x2: b [m]\n"
     "2000000000 #0 x2: a a.c:3\n"},
    /* What cannot be read is said; nothing else is no profile. */
    {SHARED "{'type':'traced','unit':'none','samples':[[0]],'weights':[1]},"
            "{'type':'sampled','unit':'none','samples':[[1],[0]],"
            "'weights':[2]}]}",
     "samples\n"
     "not in the format: processes, times, addresses, losses\n"
     "profile x 2\n"
     "malformed: 2\n"
     "profile 0 is of type \"traced\": left out; only sampled and evented "
     "ones are read\n"
     "process - app: 2\n"
     "module m\n"
     "0 #0 x2: b [m]\n"},
    {SHARED "{'type':'sampled','unit':'none','samples':[[0],[1]]}]}",
     "a: "
     "nothing of it can be read (damaged records: 2)"},
    {SHARED "{'type':'evented','unit':'none','samples':[[0],[1]]}]}",
     "a: "
     "nothing of it can be read (damaged records: 1)"},
    {SHARED "{'type':'evented','unit':'none','events':[]}]}", "samples\n"
                                                              "not in the "
                                                              "format: "
                                                              "processes, "
                                                              "times, "
                                                              "addresses, "
                                                              "losses\n"
                                                              "profile x 1\n"
                                                              "process - "
                                                              "app: 1\n"
                                                              "module m\n"},
};

TEST_LOOP(said, COUNT(files))
{
    profile_text_check(&speedscope_format, &files[_i]);
}

static const struct profile_text_beginning beginnings[] = {
    {" {'$schema':'https://www.speedscope.app/file-format-schema'", PROBE_YES},
    {"{'version':'0.0.1','profiles':[{}],'shared':{'frames':[", PROBE_YES},
    {"{'exporter':'speedscope@1.0.0'", PROBE_MAYBE},
    {"{'exporter':'speedscop'", PROBE_NO},
    {"{'url':'https://www.speedscope.app/file-format-schema.json'", PROBE_NO},
    {"{'a':{'exporter':'speedscope'}", PROBE_NO},
    {"{'a':'\\','exporter':'speedscope", PROBE_NO},
    {"{'profiles':[{}],'frames':[", PROBE_NO},
    {"speedscope.app/file-format", PROBE_NO},
};

TEST_LOOP(what_is_one, COUNT(beginnings))
{
    profile_text_probe(&speedscope_format, &beginnings[_i]);
}
