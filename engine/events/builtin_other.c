/*
 * Events of smaller providers: what a merge adds to a log, scripts, the .NET
 * Framework 2.0, and the samplers of nettrace files.
 */
#include "engine/events/builtin.h"

#define TABLE(list) .events = list, .count = sizeof(list) / sizeof((list)[0])

#define RSDS "ptr ImageBase, u32.pid ProcessID, guid GuidSig, u32 Age, astr PDBFileName"

static const struct builtin_event image_id[] = {
    {0, 0, "ImageID", "Info",
     "ptr ImageBase, ptr.dec ImageSize, u32.pid ProcessID, "
     "u32 TimeDateStamp, wstr OriginalFileName"},
    {32, 0, "ImageID", "None", "ptr ImageBase, u32.pid ProcessID"},
    {36, 0, "ImageID", "DbgID_RSDS", RSDS},
    {37, 0, "ImageID", "DbgID_ILRSDS", RSDS},
    {38, 0, "ImageID", "DbgPPDB",
     "ptr ImageBase, u32.pid ProcessID, u32 TimeDateStamp, "
     "u16 MajorVersion, u16 MinorVersion"},
    {40, 0, "ImageID", "DbgDeterm", "ptr ImageBase, u32.pid ProcessID"},
    {64, 0, "ImageID", "FileVersion",
     "u32 ImageSize, u32 TimeDateStamp, wstr OrigFileName, "
     "wstr FileDescription, wstr FileVersion, wstr BinFileVersion, "
     "wstr VerLanguage, wstr ProductName, wstr CompanyName, "
     "wstr ProductVersion, wstr FileId, wstr ProgramId"},
};

static const struct builtin_event system_config[] = {
    {32, 0, "SysConfig", "BuildInfo",
     "filetime InstallDate, wstr BuildLab, wstr ProductName"},
    {33, 0, "SysConfig", "SystemPaths",
     "wstr SystemDirectory, wstr SystemWindowsDirectory"},
    {34, 0, "SysConfig", "UnknownVolume", "wstr Value"},
    {35, 0, "SysConfig", "VolumeMapping", "wstr NtPath, wstr DosPath"},
};

/* What they hold is read as schemas of other events. */
static const struct builtin_event metadata[] = {
    {32, 0, "MetaData", "EventInfo", NULL},
    {33, 0, "MetaData", "EventMapInfo", NULL},
};

static const struct builtin_event lost_event[] = {
    {32, 0, "LostEvent", "", NULL},
};

/* Assessments of the machine, packed. */
static const struct builtin_event win_sat[] = {
    {33, 0, "WinSat", "WinSPR", NULL},
    {35, 0, "WinSat", "Metrics", NULL},
    {37, 0, "WinSat", "SystemConfig", NULL},
};

#define SCRIPT_METHOD                                                          \
    "ptr ScriptContextID, ptr MethodStartAddress, u64 MethodSize, "            \
    "u32 MethodID, u16 MethodFlags, "                                          \
    "u16 MethodAddressRangeID:MethodAddressRange, u64 SourceID, u32 Line, "    \
    "u32 Column, wstr MethodName"
#define SCRIPT_SOURCE                                                          \
    "u64 SourceID, ptr ScriptContextID, u32 SourceFlags, wstr Url"
#define SCRIPT_CONTEXT "ptr ScriptContextID"

static const struct builtin_event jscript[] = {
    {1, 0, "ScriptContextRundown", "Start", ""},
    {2, 0, "ScriptContextRundown", "Stop", ""},
    {3, 0, "MethodRundown", "Start", ""},
    {4, 0, "MethodRundown", "Stop", ""},
    {5, 0, "MethodRuntime", "MethodDCStart", SCRIPT_METHOD},
    {6, 0, "MethodRuntime", "MethodDCStop", SCRIPT_METHOD},
    {9, 0, "MethodRuntime", "MethodLoad", SCRIPT_METHOD},
    {10, 0, "MethodRuntime", "MethodUnload", SCRIPT_METHOD},
    {11, 0, "ScriptContextRuntime", "ScriptContextLoad", SCRIPT_CONTEXT},
    {12, 0, "ScriptContextRuntime", "ScriptContextUnload", SCRIPT_CONTEXT},
    {39, 0, "ScriptContextRuntime", "SourceDCStart", SCRIPT_SOURCE},
    {40, 0, "ScriptContextRuntime", "SourceDCStop", SCRIPT_SOURCE},
    {41, 0, "ScriptContextRuntime", "SourceLoad", SCRIPT_SOURCE},
    {42, 0, "ScriptContextRuntime", "SourceUnload", SCRIPT_SOURCE},
};

#define CLR2_METHOD                                                            \
    "u64.hex MethodID, u64.hex ModuleID, u64.hex MethodStartAddress, "         \
    "u32 MethodSize, u32.hex MethodToken, u32 MethodFlags:MethodFlags"
#define CLR2_VERBOSE                                                           \
    CLR2_METHOD ", wstr MethodNamespace, wstr MethodName, "                    \
                "wstr MethodSignature"
#define CLR2_MODULE                                                            \
    "u64.hex ModuleID, u64.hex AssemblyID, u32 ModuleFlags:ModuleFlags, "      \
    "u32 -Reserved1, wstr ModuleILPath, wstr ModuleNativePath"

static const struct builtin_event clr2_method[] = {
    {33, 0, "Method", "Load", CLR2_METHOD},
    {34, 0, "Method", "Unload", CLR2_METHOD},
    {35, 0, "Method", "DCStart", CLR2_METHOD},
    {36, 0, "Method", "DCStop", CLR2_METHOD},
    {37, 0, "Method", "LoadVerbose", CLR2_VERBOSE},
    {38, 0, "Method", "UnloadVerbose", CLR2_VERBOSE},
    {39, 0, "Method", "DCStartVerbose", CLR2_VERBOSE},
    {40, 0, "Method", "DCStopVerbose", CLR2_VERBOSE},
    {42, 0, "Method", "JittingStarted",
     "u64.hex MethodID, u64.hex ModuleID, u32.hex MethodToken, "
     "u32 MethodILSize, wstr MethodNamespace, wstr MethodName, "
     "wstr MethodSignature"},
};

static const struct builtin_event clr2_loader[] = {
    {33, 0, "Loader", "ModuleLoad", CLR2_MODULE},
    {34, 0, "Loader", "ModuleUnload", CLR2_MODULE},
    {35, 0, "Loader", "ModuleDCStart", CLR2_MODULE},
    {36, 0, "Loader", "ModuleDCStop", CLR2_MODULE},
    {37, 0, "Loader", "AssemblyLoad",
     "u64.hex AssemblyID, u64.hex AppDomainID, "
     "u32 AssemblyFlags:AssemblyFlags, wstr FullyQualifiedAssemblyName"},
    {41, 0, "Loader", "AppDomainLoad",
     "u64.hex AppDomainID, u32 AppDomainFlags:AppDomainFlags, "
     "wstr AppDomainName"},
};

static const struct builtin_event clr2_gc[] = {
    {1, 0, "GC", "Start", "u32 Count, u32 Reason:GCReason"},
    {2, 0, "GC", "Stop", "u32 Count, u16 Depth"},
    {5, 0, "GC", "HeapStats",
     "u64 GenerationSize0, u64 TotalPromotedSize0, u64 GenerationSize1, "
     "u64 TotalPromotedSize1, u64 GenerationSize2, u64 TotalPromotedSize2, "
     "u64 GenerationSize3, u64 TotalPromotedSize3, "
     "u64 FinalizationPromotedSize, u64 FinalizationPromotedCount, "
     "u32 PinnedObjectCount, u32 SinkBlockCount, u32 GCHandleCount"},
    {6, 0, "GC", "CreateSegment",
     "u64.hex Address, u64 Size, u32 Type:GCSegmentType"},
    {7, 0, "GC", "FreeSegment", "u64.hex Address"},
    {8, 0, "GC", "RestartEEStop", ""},
    {10, 0, "GC", "SuspendEEStart", "u16 Reason:GCSuspendEEReason"},
    {11, 0, "GC", "AllocationTick",
     "u32 AllocationAmount, u32 AllocationKind:GCAllocationKind"},
};

static const struct builtin_event clr_stack[] = {
    {82, 0, "ClrStack", "Walk",
     "u16 ClrInstanceID, u8 -Reserved1, u8 -Reserved2, u32 FrameCount, "
     "ptr.code Stack[FrameCount]"},
};

static const struct builtin_event stress[] = {
    {0, 0, "StressLog", "Event",
     "u32 Facility, u8 LogLevel, astr Message, u16 ClrInstanceID"},
    {1, 0, "ClrStack", "Walk",
     "u16 ClrInstanceID, u8 -Reserved1, u8 -Reserved2, u32 FrameCount, "
     "ptr.code Stack[FrameCount]"},
};

static const struct builtin_event sample_profiler[] = {
    {0, 0, "Thread", "Sample", "u32 Type:ClrThreadSampleType"},
};

static const struct builtin_event event_pipe[] = {
    {1, 0, "ProcessInfo", "",
     "wstr CommandLine, wstr OSInformation, wstr ArchInformation"},
};

static const struct builtin_event universal_system[] = {
    {0, 0, "ExistingProcess", "",
     "varuint NamespaceId, custr Name, custr NamespaceName"},
    {1, 0, "ProcessCreate", "",
     "varuint NamespaceId, custr Name, custr NamespaceName"},
    {2, 0, "ProcessExit", "", ""},
    {3, 0, "ProcessMapping", "",
     "varuint Id, varuint.hex StartAddress, varuint.hex EndAddress, "
     "varuint.hex FileOffset, custr FileName, varuint MetadataId, "
     "custr SymbolMetadata, custr VersionMetadata"},
    {4, 0, "ProcessSymbol", "",
     "varuint Id, varuint MappingId, varuint.hex StartAddress, "
     "varuint.hex EndAddress, custr Name"},
    {5, 0, "ProcessMappingMetadata", "",
     "varuint Id, custr SymbolMetadata, custr VersionMetadata"},
};

static const struct builtin_event universal_events[] = {
    {BUILTIN_ANY_ID, 0, NULL, "", "varuint Value"},
};

static const struct builtin_event diagnostic_source[] = {
    {BUILTIN_ANY_ID, 0, NULL, NULL,
     "wstr SourceName, wstr EventName, "
     "{wstr Key, wstr Value} Arguments[u16]"},
};

const struct builtin_provider other_builtin[] = {
    {"b3e675d7-2554-4f18-830b-2762732560de", "KernelTraceControl", true,
     TABLE(image_id)},
    {"9b79ee91-b5fd-41c0-a243-4248e266e9d0", "Windows Kernel", true,
     TABLE(system_config)},
    {"bbccf6c1-6cd1-48c4-80ff-839482e37671", "KernelTraceControl", true,
     TABLE(metadata)},
    {"6a399ae0-4bc6-4de9-870b-3657f8947e7e", "Windows Kernel", true,
     TABLE(lost_event)},
    {"ed54dff8-c409-4cf6-bf83-05e1e61a09c4", "KernelTraceControl", true,
     TABLE(win_sat)},
    {"57277741-3638-4a4b-bdba-0ac6e45da56c", "Microsoft-JScript", false,
     TABLE(jscript)},
    {"cc2bcbba-16b6-4cf3-8990-d74c2e8af500",
     "Microsoft-Windows-DotNETRuntimeStress", false, TABLE(stress)},
    {"3044f61a-99b0-4c21-b203-d39423c73b00", "Microsoft-Windows-DotNETRuntime",
     true, TABLE(clr2_method)},
    {"d00792da-07b7-40f5-97eb-5d974e054740", "Microsoft-Windows-DotNETRuntime",
     true, TABLE(clr2_loader)},
    {"044973cd-251f-4dff-a3e9-9d6307286b05", "Microsoft-Windows-DotNETRuntime",
     true, TABLE(clr2_gc)},
    {"d3363dc0-243a-4620-a4d0-8a07d772f533", "Microsoft-Windows-DotNETRuntime",
     true, TABLE(clr_stack)},
    {"0bcd91db-f943-454a-a662-6edbcfbb76d2",
     "Microsoft-Windows-DotNETRuntimeRundown", true, TABLE(clr2_method)},
    {"5a54f4df-d302-4fee-a211-6c2c0c1dcb1a",
     "Microsoft-Windows-DotNETRuntimeRundown", true, TABLE(clr2_loader)},
    {NULL, "Microsoft-DotNETCore-SampleProfiler", false,
     TABLE(sample_profiler)},
    {NULL, "Microsoft-DotNETCore-EventPipe", false, TABLE(event_pipe)},
    {NULL, "Universal.System", false, TABLE(universal_system)},
    {NULL, "Universal.Events", false, TABLE(universal_events)},
    {NULL, "Microsoft-Diagnostics-DiagnosticSource", false,
     TABLE(diagnostic_source)},
};

const size_t other_builtin_count =
    sizeof(other_builtin) / sizeof(other_builtin[0]);
