/*
 * The private provider of the .NET Framework: startup, binding, the inside of
 * the garbage collector.
 */
#include "engine/events/builtin.h"

/* clang-format off: tables */
static const struct builtin_event private_events[] = {
    {1, 0, "GC", "Decision",
     "bool32 DoCompact, u16 ClrInstanceID"},
    {2, 0, "GC", "Settings",
     "u64 SegmentSize, u64 LargeObjectSegmentSize, bool32 ServerGC, "
     "u16 ClrInstanceID"},
    {3, 0, "GC", "Optimized",
     "u64 DesiredAllocation, u64 NewAllocation, u32 GenerationNumber, "
     "u16 ClrInstanceID"},
    {4, 0, "GC", "PerHeapHistory", NULL},
    {5, 0, "GC", "GlobalHeapHistory",
     "u64 FinalYoungestDesired, i32 NumHeaps, u32 CondemnedGeneration, "
     "u32 Gen0ReductionCount, u32 Reason:GCReason, "
     "u32 GlobalMechanisms:GCGlobalMechanisms, u16 ClrInstanceID, "
     "u32 PauseMode:GCPauseMode, u32 MemoryPressure, u32 CondemnReasons0, "
     "u32 CondemnReasons1, u32 Count, "
     "u32 Times[Count]"},
    {6, 0, "GC", "Join",
     "u32 Heap, u32 JoinTime, u32 JoinType, u16 ClrInstanceID, u32 JoinID"},
    {7, 0, "GC", "MarkStackRoots",
     "u32 HeapNum, u16 ClrInstanceID"},
    {8, 0, "GC", "MarkFinalizeQueueRoots",
     "u32 HeapNum, u16 ClrInstanceID"},
    {9, 0, "GC", "MarkHandles",
     "u32 HeapNum, u16 ClrInstanceID"},
    {10, 0, "GC", "MarkCards",
     "u32 HeapNum, u16 ClrInstanceID"},
    {11, 0, "GC", "BGCStart",
     "u16 ClrInstanceID"},
    {12, 0, "GC", "BGC1stNonCondStop",
     "u16 ClrInstanceID"},
    {13, 0, "GC", "BGC1stConStop",
     "u16 ClrInstanceID"},
    {14, 0, "GC", "BGC2ndNonConStart",
     "u16 ClrInstanceID"},
    {15, 0, "GC", "BGC2ndNonConStop",
     "u16 ClrInstanceID"},
    {16, 0, "GC", "BGC2ndConStart",
     "u16 ClrInstanceID"},
    {17, 0, "GC", "BGC2ndConStop",
     "u16 ClrInstanceID"},
    {18, 0, "GC", "BGCPlanStop",
     "u16 ClrInstanceID"},
    {19, 0, "GC", "BGCSweepStop",
     "u16 ClrInstanceID"},
    {20, 0, "GC", "BGCDrainMark",
     "u64 Objects, u16 ClrInstanceID"},
    {21, 0, "GC", "BGCRevisit",
     "u64 Pages, u64 Objects, u32 IsLarge, u16 ClrInstanceID"},
    {22, 0, "GC", "BGCOverflow",
     "u64 Min, u64 Max, u64 Objects, u32 IsLarge, u16 ClrInstanceID"},
    {23, 0, "GC", "BGCAllocWaitStart",
     "u32 Reason, u16 ClrInstanceID"},
    {24, 0, "GC", "BGCAllocWaitStop",
     "u32 Reason, u16 ClrInstanceID"},
    {25, 0, "GC", "FullNotify",
     "u32 GenNumber, u32 IsAlloc, u16 ClrInstanceID"},
    {80, 0, "Startup", "EEStartupStart",
     "u16 ClrInstanceID"},
    {81, 0, "Startup", "EEStartupStop",
     "u16 ClrInstanceID"},
    {82, 0, "Startup", "EEConfigSetupStart",
     "u16 ClrInstanceID"},
    {83, 0, "Startup", "EEConfigSetupStop",
     "u16 ClrInstanceID"},
    {84, 0, "Startup", "LoadSystemBasesStart",
     "u16 ClrInstanceID"},
    {85, 0, "Startup", "LoadSystemBasesStop",
     "u16 ClrInstanceID"},
    {86, 0, "Startup", "ExecExeStart",
     "u16 ClrInstanceID"},
    {87, 0, "Startup", "ExecExeStop",
     "u16 ClrInstanceID"},
    {88, 0, "Startup", "MainStart",
     "u16 ClrInstanceID"},
    {89, 0, "Startup", "MainStop",
     "u16 ClrInstanceID"},
    {90, 0, "Startup", "ApplyPolicyStart",
     "u16 ClrInstanceID"},
    {91, 0, "Startup", "ApplyPolicyStop",
     "u16 ClrInstanceID"},
    {92, 0, "Startup", "LdLibShFolderStart",
     "u16 ClrInstanceID"},
    {93, 0, "Startup", "LdLibShFolderStop",
     "u16 ClrInstanceID"},
    {94, 0, "Startup", "PrestubWorkerStart",
     "u16 ClrInstanceID"},
    {95, 0, "Startup", "PrestubWorkerStop",
     "u16 ClrInstanceID"},
    {96, 0, "Startup", "GetInstallationStart",
     "u16 ClrInstanceID"},
    {97, 0, "Startup", "GetInstallationStop",
     "u16 ClrInstanceID"},
    {98, 0, "Startup", "OpenHModuleStart",
     "u16 ClrInstanceID"},
    {99, 0, "Startup", "OpenHModuleStop",
     "u16 ClrInstanceID"},
    {100, 0, "Startup", "ExplicitBindStart",
     "u16 ClrInstanceID"},
    {101, 0, "Startup", "ExplicitBindStop",
     "u16 ClrInstanceID"},
    {102, 0, "Startup", "ParseXmlStart",
     "u16 ClrInstanceID"},
    {103, 0, "Startup", "ParseXmlStop",
     "u16 ClrInstanceID"},
    {104, 0, "Startup", "InitDefaultDomainStart",
     "u16 ClrInstanceID"},
    {105, 0, "Startup", "InitDefaultDomainStop",
     "u16 ClrInstanceID"},
    {106, 0, "Startup", "InitSecurityStart",
     "u16 ClrInstanceID"},
    {107, 0, "Startup", "InitSecurityStop",
     "u16 ClrInstanceID"},
    {108, 0, "Startup", "AllowBindingRedirsStart",
     "u16 ClrInstanceID"},
    {109, 0, "Startup", "AllowBindingRedirsStop",
     "u16 ClrInstanceID"},
    {110, 0, "Startup", "EEConfigSyncStart",
     "u16 ClrInstanceID"},
    {111, 0, "Startup", "EEConfigSyncStop",
     "u16 ClrInstanceID"},
    {112, 0, "Startup", "BindingStart",
     "u16 ClrInstanceID"},
    {113, 0, "Startup", "BindingStop",
     "u16 ClrInstanceID"},
    {114, 0, "Startup", "LoaderCatchCallStart",
     "u16 ClrInstanceID"},
    {115, 0, "Startup", "LoaderCatchCallStop",
     "u16 ClrInstanceID"},
    {116, 0, "Startup", "FusionInitStart",
     "u16 ClrInstanceID"},
    {117, 0, "Startup", "FusionInitStop",
     "u16 ClrInstanceID"},
    {118, 0, "Startup", "FusionAppCtxStart",
     "u16 ClrInstanceID"},
    {119, 0, "Startup", "FusionAppCtxStop",
     "u16 ClrInstanceID"},
    {120, 0, "Startup", "Fusion2EEStart",
     "u16 ClrInstanceID"},
    {121, 0, "Startup", "Fusion2EEStop",
     "u16 ClrInstanceID"},
    {122, 0, "Startup", "SecurityCatchCallStart",
     "u16 ClrInstanceID"},
    {123, 0, "Startup", "SecurityCatchCallStop",
     "u16 ClrInstanceID"},
    {151, 0, "ClrStack", "Walk",
     "u16 ClrInstanceID, u8 -Reserved1, u8 -Reserved2, u32 FrameCount, "
     "ptr Stack[FrameCount]"},
    {158, 0, "ClrPerfTrack", "ModuleRangeLoad",
     "u16 ClrInstanceID, u64.hex ModuleID, u32 RangeBegin, u32 RangeSize, "
     "u8 RangeType:ModuleRangeType, u8 IBCType:ModuleRangeIBCType, "
     "u16 SectionType:ModuleRangeSectionType"},
    {159, 0, "Binding", "PolicyPhaseStart",
     "u32 AppDomainID, u32 LoadContextID, u32 FromLoaderCache, "
     "u32 DynamicLoad, wstr AssemblyCodebase, wstr AssemblyName, "
     "u16 ClrInstanceID"},
    {160, 0, "Binding", "PolicyPhaseStop",
     "u32 AppDomainID, u32 LoadContextID, u32 FromLoaderCache, "
     "u32 DynamicLoad, wstr AssemblyCodebase, wstr AssemblyName, "
     "u16 ClrInstanceID"},
    {161, 0, "Binding", "NgenPhaseStart",
     "u32 AppDomainID, u32 LoadContextID, u32 FromLoaderCache, "
     "u32 DynamicLoad, wstr AssemblyCodebase, wstr AssemblyName, "
     "u16 ClrInstanceID"},
    {162, 0, "Binding", "NgenPhaseStop",
     "u32 AppDomainID, u32 LoadContextID, u32 FromLoaderCache, "
     "u32 DynamicLoad, wstr AssemblyCodebase, wstr AssemblyName, "
     "u16 ClrInstanceID"},
    {163, 0, "Binding", "LoopupAndProbingPhaseStart",
     "u32 AppDomainID, u32 LoadContextID, u32 FromLoaderCache, "
     "u32 DynamicLoad, wstr AssemblyCodebase, wstr AssemblyName, "
     "u16 ClrInstanceID"},
    {164, 0, "Binding", "LookupAndProbingPhaseStop",
     "u32 AppDomainID, u32 LoadContextID, u32 FromLoaderCache, "
     "u32 DynamicLoad, wstr AssemblyCodebase, wstr AssemblyName, "
     "u16 ClrInstanceID"},
    {165, 0, "Binding", "LoaderPhaseStart",
     "u32 AppDomainID, u32 LoadContextID, u32 FromLoaderCache, "
     "u32 DynamicLoad, wstr AssemblyCodebase, wstr AssemblyName, "
     "u16 ClrInstanceID"},
    {166, 0, "Binding", "LoaderPhaseStop",
     "u32 AppDomainID, u32 LoadContextID, u32 FromLoaderCache, "
     "u32 DynamicLoad, wstr AssemblyCodebase, wstr AssemblyName, "
     "u16 ClrInstanceID"},
    {167, 0, "Binding", "PhaseStart",
     "u32 AppDomainID, u32 LoadContextID, u32 FromLoaderCache, "
     "u32 DynamicLoad, wstr AssemblyCodebase, wstr AssemblyName, "
     "u16 ClrInstanceID"},
    {168, 0, "Binding", "PhaseStop",
     "u32 AppDomainID, u32 LoadContextID, u32 FromLoaderCache, "
     "u32 DynamicLoad, wstr AssemblyCodebase, wstr AssemblyName, "
     "u16 ClrInstanceID"},
    {169, 0, "Binding", "DownloadPhaseStart",
     "u32 AppDomainID, u32 LoadContextID, u32 FromLoaderCache, "
     "u32 DynamicLoad, wstr AssemblyCodebase, wstr AssemblyName, "
     "u16 ClrInstanceID"},
    {170, 0, "Binding", "DownloadPhaseStop",
     "u32 AppDomainID, u32 LoadContextID, u32 FromLoaderCache, "
     "u32 DynamicLoad, wstr AssemblyCodebase, wstr AssemblyName, "
     "u16 ClrInstanceID"},
    {171, 0, "Binding", "LoaderAssemblyInitPhaseStart",
     "u32 AppDomainID, u32 LoadContextID, u32 FromLoaderCache, "
     "u32 DynamicLoad, wstr AssemblyCodebase, wstr AssemblyName, "
     "u16 ClrInstanceID"},
    {172, 0, "Binding", "LoaderAssemblyInitPhaseStop",
     "u32 AppDomainID, u32 LoadContextID, u32 FromLoaderCache, "
     "u32 DynamicLoad, wstr AssemblyCodebase, wstr AssemblyName, "
     "u16 ClrInstanceID"},
    {173, 0, "Binding", "LoaderMappingPhaseStart",
     "u32 AppDomainID, u32 LoadContextID, u32 FromLoaderCache, "
     "u32 DynamicLoad, wstr AssemblyCodebase, wstr AssemblyName, "
     "u16 ClrInstanceID"},
    {174, 0, "Binding", "LoaderMappingPhaseStop",
     "u32 AppDomainID, u32 LoadContextID, u32 FromLoaderCache, "
     "u32 DynamicLoad, wstr AssemblyCodebase, wstr AssemblyName, "
     "u16 ClrInstanceID"},
    {175, 0, "Binding", "LoaderDeliverEventPhaseStart",
     "u32 AppDomainID, u32 LoadContextID, u32 FromLoaderCache, "
     "u32 DynamicLoad, wstr AssemblyCodebase, wstr AssemblyName, "
     "u16 ClrInstanceID"},
    {176, 0, "Binding", "LoaderDeliverEventsPhaseStop",
     "u32 AppDomainID, u32 LoadContextID, u32 FromLoaderCache, "
     "u32 DynamicLoad, wstr AssemblyCodebase, wstr AssemblyName, "
     "u16 ClrInstanceID"},
    {177, 0, "EvidenceGeneration", "EvidenceGenerated",
     "u32 Type, u32 AppDomain, wstr ILImage, u16 ClrInstanceID"},
    {178, 0, "Transparency", "ModuleTransparencyComputationStart",
     "wstr Module, u32 AppDomainID, u16 ClrInstanceID"},
    {179, 0, "Transparency", "ModuleTransparencyComputationStop",
     "wstr Module, u32 AppDomainID, bool32 IsAllCritical, "
     "bool32 IsAllTransparent, bool32 IsTreatAsSafe, "
     "bool32 IsOpportunisticallyCritical, u32 SecurityRuleSet, "
     "u16 ClrInstanceID"},
    {180, 0, "Transparency", "TypeTransparencyComputationStart",
     "wstr Type, wstr Module, u32 AppDomainID, u16 ClrInstanceID"},
    {181, 0, "Transparency", "TypeTransparencyComputationStop",
     "wstr Type, wstr Module, u32 AppDomainID, bool32 IsAllCritical, "
     "bool32 IsAllTransparent, bool32 IsCritical, bool32 IsTreatAsSafe, "
     "u16 ClrInstanceID"},
    {182, 0, "Transparency", "MethodTransparencyComputationStart",
     "wstr Method, wstr Module, u32 AppDomainID, u16 ClrInstanceID"},
    {183, 0, "Transparency", "MethodTransparencyComputationStop",
     "wstr Method, wstr Module, u32 AppDomainID, bool32 IsCritical, "
     "bool32 IsTreatAsSafe, u16 ClrInstanceID"},
    {184, 0, "Transparency", "FieldTransparencyComputationStart",
     "wstr Field, wstr Module, u32 AppDomainID, u16 ClrInstanceID"},
    {185, 0, "Transparency", "FieldTransparencyComputationStop",
     "wstr Field, wstr Module, u32 AppDomainID, bool32 IsCritical, "
     "bool32 IsTreatAsSafe, u16 ClrInstanceID"},
    {186, 0, "Transparency", "TokenTransparencyComputationStart",
     "u32 Token, wstr Module, u32 AppDomainID, u16 ClrInstanceID"},
    {187, 0, "Transparency", "TokenTransparencyComputationStop",
     "u32 Token, wstr Module, u32 AppDomainID, bool32 IsCritical, "
     "bool32 IsTreatAsSafe, u16 ClrInstanceID"},
    {188, 0, "NgenBinder", "NgenBind",
     "u16 ClrInstanceID, u64.hex BindingID, u32 ReasonCode, "
     "wstr AssemblyName"},
    {191, 0, "FailFast", "",
     "wstr FailFastUserMessage, ptr FailedEIP, u32 OSExitCode, "
     "u32 ClrExitCode, u16 ClrInstanceID"},
    {192, 0, "GC", "FinalizeObject",
     "ptr TypeID, ptr ObjectID, u16 ClrInstanceID, wstr TypeName"},
    {193, 0, "GC", "CCWRefCountChangeAnsi",
     "ptr HandleID, ptr ObjectID, ptr COMInterfacePointer, "
     "u32 NewRefCount, u64.hex AppDomainID, astr ClassName, "
     "astr NameSpace, wstr Operation, u16 ClrInstanceID"},
    {194, 0, "GC", "SetGCHandle",
     "ptr HandleID, ptr ObjectID, u32 Kind:GCHandleKind, u32 Generation, "
     "u64.hex AppDomainID, u16 ClrInstanceID"},
    {195, 0, "GC", "DestroyGCHandle",
     "ptr HandleID, u16 ClrInstanceID"},
    {196, 0, "Binding", "FusionMessage",
     "u16 ClrInstanceID, bool32 Prepend, wstr Message"},
    {198, 0, "GC", "PinObjectAtGCTime",
     "ptr HandleID, ptr ObjectID, u64 ObjectSize, wstr TypeName, "
     "u16 ClrInstanceID"},
    {199, 0, "GC", "PinPlugAtGCTime",
     "ptr PlugStart, ptr PlugEnd, ptr GapBeforeSize, u16 ClrInstanceID"},
    {200, 0, "GC", "CCWRefCountChange",
     "ptr HandleID, ptr ObjectID, ptr COMInterfacePointer, "
     "u32 NewRefCount, u64.hex AppDomainID, wstr ClassName, "
     "wstr NameSpace, wstr Operation, u16 ClrInstanceID"},
    {201, 0, "ClrMulticoreJit", "Common",
     "u16 ClrInstanceID, wstr String1, wstr String2, u32 Int1, u32 Int2, "
     "u32 Int3"},
    {202, 0, "ClrMulticoreJit", "MethodCodeReturned",
     "u16 ClrInstanceID, u64.hex ModuleID, u64.hex MethodID"},
    {300, 0, "ThreadPoolWorkingThreadCount", "Start",
     "u32 Count, u16 ClrInstanceID"},
    {301, 0, "ThreadPool", "Enqueue",
     "ptr WorkID, u16 ClrInstanceID"},
    {302, 0, "ThreadPool", "Dequeue",
     "ptr WorkID, u16 ClrInstanceID"},
    {303, 0, "ThreadPool", "IOEnqueue",
     "ptr NativeOverlapped, ptr Overlapped, u16 ClrInstanceID"},
    {304, 0, "ThreadPool", "IODequeue",
     "ptr NativeOverlapped, ptr Overlapped, u16 ClrInstanceID"},
    {305, 0, "ThreadPool", "IOPack",
     "ptr NativeOverlapped, ptr Overlapped, u16 ClrInstanceID"},
    {310, 0, "LoaderHeap", "AllocRequest",
     "ptr LoaderHeapPtr, ptr MemoryAddress, u32 RequestSize, "
     "u16 ClrInstanceID"},
    {400, 0, "ClrDynamicTypeUsage", "IInspectableRuntimeClassName",
     "wstr TypeName, u16 ClrInstanceID"},
    {401, 0, "ClrDynamicTypeUsage", "WinRTUnbox",
     "wstr TypeName, wstr SecondTypeName, u16 ClrInstanceID"},
    {402, 0, "ClrDynamicTypeUsage", "CreateRCW",
     "wstr TypeName, u16 ClrInstanceID"},
    {403, 0, "ClrDynamicTypeUsage", "RCWVariance",
     "wstr TypeName, wstr InterfaceTypeName, "
     "wstr VariantInterfaceTypeName, u16 ClrInstanceID"},
    {404, 0, "ClrDynamicTypeUsage", "RCWIEnumerableCasting",
     "wstr TypeName, wstr SecondTypeName, u16 ClrInstanceID"},
    {405, 0, "ClrDynamicTypeUsage", "CreateCCW",
     "wstr TypeName, u16 ClrInstanceID"},
    {406, 0, "ClrDynamicTypeUsage", "CCWVariance",
     "wstr TypeName, wstr InterfaceTypeName, "
     "wstr VariantInterfaceTypeName, u16 ClrInstanceID"},
    {407, 0, "ClrDynamicTypeUsage", "ObjectVariantMarshallingToNative",
     "wstr TypeName, u32 Int1, u16 ClrInstanceID"},
    {408, 0, "ClrDynamicTypeUsage", "GetTypeFromGUID",
     "wstr TypeName, wstr SecondTypeName, u16 ClrInstanceID"},
    {409, 0, "ClrDynamicTypeUsage", "GetTypeFromProgID",
     "wstr TypeName, wstr SecondTypeName, u16 ClrInstanceID"},
    {410, 0, "ClrDynamicTypeUsage", "ConvertToCallbackEtw",
     "wstr TypeName, wstr SecondTypeName, u16 ClrInstanceID"},
    {411, 0, "ClrDynamicTypeUsage", "BeginCreateManagedReference",
     "u16 ClrInstanceID"},
    {412, 0, "ClrDynamicTypeUsage", "EndCreateManagedReference",
     "u16 ClrInstanceID"},
    {413, 0, "ClrDynamicTypeUsage", "ObjectVariantMarshallingToManaged",
     "wstr TypeName, u32 Int1, u16 ClrInstanceID"},
};
/* clang-format on */

const struct builtin_provider clr_private_builtin = {
    .guid = "763fd754-7086-4dfe-95eb-c01a46faf4ca",
    .name = "Microsoft-Windows-DotNETRuntimePrivate",
    .events = private_events,
    .count = sizeof(private_events) / sizeof(private_events[0]),
};
