/*
 * Events of the .NET runtime. Later versions only add fields, but where a row
 * of an older one stands before.
 */
#include "engine/events/builtin.h"

/* clang-format off: tables */
static const struct builtin_event runtime_events[] = {
    {1, 0, "GC", "Start", "u32 Count, u32 Reason:GCReason"},
    {1, 1, "GC", "Start",
     "u32 Count, u32 Depth, u32 Reason:GCReason, u32 Type:GCType, "
     "u16 ClrInstanceID, u64 ClientSequenceNumber"},
    {2, 0, "GC", "Stop", "u32 Count, u16 Depth"},
    {2, 1, "GC", "Stop", "u32 Count, u32 Depth, u16 ClrInstanceID"},
    {3, 0, "GC", "RestartEEStop", "u16 ClrInstanceID"},
    {4, 0, "GC", "HeapStats",
     "u64 GenerationSize0, u64 TotalPromotedSize0, u64 GenerationSize1, "
     "u64 TotalPromotedSize1, u64 GenerationSize2, u64 TotalPromotedSize2, "
     "u64 GenerationSize3, u64 TotalPromotedSize3, "
     "u64 FinalizationPromotedSize, u64 FinalizationPromotedCount, "
     "u32 PinnedObjectCount, u32 SinkBlockCount, u32 GCHandleCount, "
     "u16 ClrInstanceID, u64 GenerationSize4, u64 TotalPromotedSize4"},
    {5, 0, "GC", "CreateSegment",
     "u64.hex Address, u64 Size, u32 Type:GCSegmentType, u16 ClrInstanceID"},
    {6, 0, "GC", "FreeSegment", "u64.hex Address, u16 ClrInstanceID"},
    {7, 0, "GC", "RestartEEStart", "u16 ClrInstanceID"},
    {8, 0, "GC", "SuspendEEStop", "u16 ClrInstanceID"},
    {9, 0, "GC", "SuspendEEStart", "u16 Reason:GCSuspendEEReason"},
    {9, 1, "GC", "SuspendEEStart",
     "u32 Reason:GCSuspendEEReason, u32 Count, u16 ClrInstanceID"},
    {10, 0, "GC", "AllocationTick",
     "u32 AllocationAmount, u32 AllocationKind:GCAllocationKind, "
     "u16 ClrInstanceID, u64 AllocationAmount64, ptr TypeID, "
     "wstr TypeName, u32 HeapIndex, ptr Address, u64 ObjectSize"},
    {11, 0, "GC", "CreateConcurrentThread", "u16 ClrInstanceID"},
    {12, 0, "GC", "TerminateConcurrentThread", "u16 ClrInstanceID"},
    {13, 0, "GC", "FinalizersStop", "u32 Count, u16 ClrInstanceID"},
    {14, 0, "GC", "FinalizersStart", "u16 ClrInstanceID"},
    {15, 0, "Type", "BulkType",
     "u32 Count, u16 ClrInstanceID, {u64.hex TypeID, u64.hex ModuleID, "
     "u32.hex TypeNameID, u32 Flags:TypeFlags, u8 CorElementType, "
     "wstr Name, u32 TypeParameterCount, "
     "u64.hex TypeParameters[TypeParameterCount]} Values[Count]"},
    {16, 0, "GC", "BulkRootEdge",
     "u32 Index, u32 Count, u16 ClrInstanceID, {ptr RootedNodeAddress, "
     "u8 GCRootKind:GCRootKind, u32 GCRootFlag:GCRootFlags, ptr GCRootID} "
     "Values[Count]"},
    {17, 0, "GC", "BulkRootConditionalWeakTableElementEdge",
     "u32 Index, u32 Count, u16 ClrInstanceID, {ptr GCKeyNodeID, "
     "ptr GCValueNodeID, ptr GCRootID} Values[Count]"},
    {18, 0, "GC", "BulkNode",
     "u32 Index, u32 Count, u16 ClrInstanceID, {ptr Address, u64 Size, "
     "u64.hex TypeID, u64 EdgeCount} Values[Count]"},
    {19, 0, "GC", "BulkEdge",
     "u32 Index, u32 Count, u16 ClrInstanceID, {ptr Value, "
     "u32 ReferencingFieldID} Values[Count]"},
    {20, 0, "GC", "SampledObjectAllocation",
     "ptr Address, ptr TypeID, u32 ObjectCountForTypeSample, "
     "u64 TotalSizeForTypeSample, u16 ClrInstanceID"},
    {21, 0, "GC", "BulkSurvivingObjectRanges",
     "u32 Index, u32 Count, u16 ClrInstanceID, {ptr RangeBase, "
     "u64 RangeLength} Values[Count]"},
    {22, 0, "GC", "BulkMovedObjectRanges",
     "u32 Index, u32 Count, u16 ClrInstanceID, {ptr OldRangeBase, "
     "ptr NewRangeBase, u64 RangeLength} Values[Count]"},
    {23, 0, "GC", "GenerationRange",
     "u8 Generation, ptr RangeStart, u64 RangeUsedLength, "
     "u64 RangeReservedLength, u16 ClrInstanceID"},
    {25, 0, "GC", "MarkStackRoots", "u32 HeapNum, u16 ClrInstanceID"},
    {26, 0, "GC", "MarkFinalizeQueueRoots", "u32 HeapNum, u16 ClrInstanceID"},
    {27, 0, "GC", "MarkHandles", "u32 HeapNum, u16 ClrInstanceID"},
    {28, 0, "GC", "MarkCards", "u32 HeapNum, u16 ClrInstanceID"},
    {29, 0, "GC", "FinalizeObject",
     "ptr TypeID, ptr ObjectID, u16 ClrInstanceID"},
    {30, 0, "GC", "SetGCHandle",
     "ptr HandleID, ptr ObjectID, u32 Kind:GCHandleKind, u32 Generation, "
     "u64.hex AppDomainID, u16 ClrInstanceID"},
    {31, 0, "GC", "DestroyGCHandle", "ptr HandleID, u16 ClrInstanceID"},
    {32, 0, "GC", "SampledObjectAllocation",
     "ptr Address, ptr TypeID, u32 ObjectCountForTypeSample, "
     "u64 TotalSizeForTypeSample, u16 ClrInstanceID"},
    {33, 0, "GC", "PinObjectAtGCTime",
     "ptr HandleID, ptr ObjectID, u64 ObjectSize, wstr TypeName, "
     "u16 ClrInstanceID"},
    {34, 0, "GC", "PinPlugAtGCTime",
     "ptr PlugStart, ptr PlugEnd, ptr GapBeforeSize, u16 ClrInstanceID"},
    {35, 0, "GC", "Triggered", "u32 Reason:GCReason, u16 ClrInstanceID"},
    {36, 0, "GC", "BulkRootCCW",
     "u32 Count, u16 ClrInstanceID, {u64.hex GCRootID, u64.hex ObjectID, "
     "u64.hex TypeID, u64.hex IUnk, u32 RefCount, u32 PeggedRefCount, "
     "u32 Flags:GCRootCCWFlags} Values[Count]"},
    {37, 0, "GC", "BulkRCW",
     "u32 Count, u16 ClrInstanceID, {u64.hex ObjectID, u64.hex TypeID, "
     "u64.hex IUnk, u64.hex VTable, u32 RefCount, "
     "u32 Flags:GCRootRCWFlags} Values[Count]"},
    {38, 0, "GC", "BulkRootStaticVar",
     "u32 Count, u64.hex AppDomainID, u16 ClrInstanceID, "
     "{u64.hex GCRootID, u64.hex ObjectID, u64.hex TypeID, "
     "u32 Flags:GCRootStaticVarFlags, wstr FieldName} Values[Count]"},
    {39, 0, "GCDynamicEvent", "",
     "wstr Name, u32 DataSize, bin(DataSize) Data, u16 ClrInstanceID"},
    {40, 0, "WorkerThreadCreation", "Start",
     "u32 WorkerThreadCount, u32 RetiredWorkerThreads"},
    {41, 0, "WorkerThreadCreation", "Stop",
     "u32 WorkerThreadCount, u32 RetiredWorkerThreads"},
    {42, 0, "WorkerThreadRetirement", "Start",
     "u32 WorkerThreadCount, u32 RetiredWorkerThreads"},
    {43, 0, "WorkerThreadRetirement", "Stop",
     "u32 WorkerThreadCount, u32 RetiredWorkerThreads"},
    {44, 0, "IOThreadCreation", "Start",
     "u32 IOThreadCount, u32 RetiredIOThreads, u16 ClrInstanceID"},
    {45, 0, "IOThreadCreation", "Stop",
     "u32 IOThreadCount, u32 RetiredIOThreads, u16 ClrInstanceID"},
    {46, 0, "IOThreadRetirement", "Start",
     "u32 IOThreadCount, u32 RetiredIOThreads, u16 ClrInstanceID"},
    {47, 0, "IOThreadRetirement", "Stop",
     "u32 IOThreadCount, u32 RetiredIOThreads, u16 ClrInstanceID"},
    {48, 0, "ThreadpoolSuspension", "Start",
     "u32 ClrThreadID, u32 CpuUtilization"},
    {49, 0, "ThreadpoolSuspension", "Stop",
     "u32 ClrThreadID, u32 CpuUtilization"},
    {50, 0, "ThreadPoolWorkerThread", "Start",
     "u32 ActiveWorkerThreadCount, u32 RetiredWorkerThreadCount, "
     "u16 ClrInstanceID"},
    {51, 0, "ThreadPoolWorkerThread", "Stop",
     "u32 ActiveWorkerThreadCount, u32 RetiredWorkerThreadCount, "
     "u16 ClrInstanceID"},
    {52, 0, "ThreadPoolWorkerThreadRetirement", "Start",
     "u32 ActiveWorkerThreadCount, u32 RetiredWorkerThreadCount, "
     "u16 ClrInstanceID"},
    {53, 0, "ThreadPoolWorkerThreadRetirement", "Stop",
     "u32 ActiveWorkerThreadCount, u32 RetiredWorkerThreadCount, "
     "u16 ClrInstanceID"},
    {54, 0, "ThreadPoolWorkerThreadAdjustment", "Sample",
     "f64 Throughput, u16 ClrInstanceID"},
    {55, 0, "ThreadPoolWorkerThreadAdjustment", "Adjustment",
     "f64 AverageThroughput, u32 NewWorkerThreadCount, "
     "u32 Reason:ThreadAdjustmentReason, u16 ClrInstanceID"},
    {56, 0, "ThreadPoolWorkerThreadAdjustment", "Stats",
     "f64 Duration, f64 Throughput, f64 ThreadWave, f64 ThroughputWave, "
     "f64 ThroughputErrorEstimate, f64 AverageThroughputErrorEstimate, "
     "f64 ThroughputRatio, f64 Confidence, f64 NewControlSetting, "
     "u16 NewThreadWaveMagnitude, u16 ClrInstanceID"},
    {57, 0, "ThreadPoolWorkerThread", "Wait",
     "u32 ActiveWorkerThreadCount, u32 RetiredWorkerThreadCount, "
     "u16 ClrInstanceID"},
    {58, 0, "YieldProcessorMeasurement", "Info",
     "u16 ClrInstanceID, f64 NsPerYield, f64 EstablishedNsPerYield"},
    {59, 0, "ThreadPoolMinMaxThreads", "Info",
     "u16 MinWorkerThreads, u16 MaxWorkerThreads, "
     "u16 MinIOCompletionThreads, u16 MaxIOCompletionThreads, "
     "u16 ClrInstanceID"},
    {60, 0, "ThreadPoolWorkingThreadCount", "Start",
     "u32 Count, u16 ClrInstanceID"},
    {61, 0, "ThreadPool", "Enqueue", "ptr WorkID, u16 ClrInstanceID"},
    {62, 0, "ThreadPool", "Dequeue", "ptr WorkID, u16 ClrInstanceID"},
    {63, 0, "ThreadPool", "IOEnqueue",
     "ptr NativeOverlapped, ptr Overlapped, bool32 MultiDequeues, "
     "u16 ClrInstanceID"},
    {64, 0, "ThreadPool", "IODequeue",
     "ptr NativeOverlapped, ptr Overlapped, u16 ClrInstanceID"},
    {65, 0, "ThreadPool", "IOPack",
     "ptr NativeOverlapped, ptr Overlapped, u16 ClrInstanceID"},
    {70, 0, "Thread", "Creating", "ptr ID, u16 ClrInstanceID"},
    {71, 0, "Thread", "Running", "ptr ID, u16 ClrInstanceID"},
    {72, 0, "Method", "MethodDetails",
     "u64.hex MethodID, u64.hex TypeID, u32.hex MethodToken, "
     "u32 TypeParameterCount, u64.hex LoaderModuleID, "
     "u64.hex TypeParameters[TypeParameterCount]"},
    {73, 0, "TypeLoad", "Start", "u32 TypeLoadStartID, u16 ClrInstanceID"},
    {74, 0, "TypeLoad", "Stop",
     "u32 TypeLoadStartID, u16 ClrInstanceID, u16 LoadLevel, "
     "u64.hex TypeID, wstr TypeName"},
    {80, 0, "Exception", "Start",
     "wstr ExceptionType, wstr ExceptionMessage, ptr ExceptionEIP, "
     "u32.hresult ExceptionHRESULT, "
     "u16 ExceptionFlags:ExceptionThrownFlags, u16 ClrInstanceID"},
    {81, 0, "Contention", "Start",
     "u8 ContentionFlags:ContentionFlags, u16 ClrInstanceID, ptr LockID, "
     "ptr AssociatedObjectID, u64 LockOwnerThreadID"},
    {82, 0, "ClrStack", "Walk",
     "u16 ClrInstanceID, u8 -Reserved1, u8 -Reserved2, u32 FrameCount, "
     "ptr Stack[FrameCount]"},
    {83, 0, "AppDomainResourceManagement", "MemAllocated",
     "u64.hex AppDomainID, u64 Allocated, u16 ClrInstanceID"},
    {84, 0, "AppDomainResourceManagement", "MemSurvived",
     "u64.hex AppDomainID, u64 Survived, u64 ProcessSurvived, "
     "u16 ClrInstanceID"},
    {85, 0, "AppDomainResourceManagement", "ThreadCreated",
     "u64.hex ManagedThreadID, u64.hex AppDomainID, u32 Flags:ThreadFlags, "
     "u32 ManagedThreadIndex, u32.tid OSThreadID, u16 ClrInstanceID"},
    {86, 0, "AppDomainResourceManagement", "ThreadTerminated",
     "u64.hex ManagedThreadID, u64.hex AppDomainID, u16 ClrInstanceID"},
    {87, 0, "AppDomainResourceManagement", "DomainEnter",
     "u64.hex ManagedThreadID, u64.hex AppDomainID, u16 ClrInstanceID"},
    {88, 0, "ILStub", "StubGenerated",
     "u16 ClrInstanceID, u64.hex ModuleID, u64.hex StubMethodID, "
     "u32 StubFlags:ILStubGeneratedFlags, "
     "u32.hex ManagedInteropMethodToken, "
     "wstr ManagedInteropMethodNamespace, wstr ManagedInteropMethodName, "
     "wstr ManagedInteropMethodSignature, wstr NativeMethodSignature, "
     "wstr StubMethodSignature, wstr StubMethodILCode"},
    {89, 0, "ILStub", "StubCacheHit",
     "u16 ClrInstanceID, u64.hex ModuleID, u64.hex StubMethodID, "
     "u32.hex ManagedInteropMethodToken, "
     "wstr ManagedInteropMethodNamespace, wstr ManagedInteropMethodName, "
     "wstr ManagedInteropMethodSignature"},
    {90, 0, "Contention", "LockCreated",
     "ptr LockID, ptr AssociatedObjectID, u16 ClrInstanceID"},
    {91, 0, "Contention", "Stop",
     "u8 ContentionFlags:ContentionFlags, u16 ClrInstanceID, "
     "f64 DurationNs"},
    {135, 0, "Method", "DCStartCompleteV2", ""},
    {136, 0, "Method", "DCStopCompleteV2", ""},
    {137, 0, "Method", "DCStartV2",
     "u64.hex MethodID, u64.hex ModuleID, u64.hex MethodStartAddress, "
     "u32 MethodSize, u32.hex MethodToken, u32 MethodFlags:MethodFlags"},
    {138, 0, "Method", "DCStopV2",
     "u64.hex MethodID, u64.hex ModuleID, u64.hex MethodStartAddress, "
     "u32 MethodSize, u32.hex MethodToken, u32 MethodFlags:MethodFlags"},
    {139, 0, "Method", "DCStartVerboseV2",
     "u64.hex MethodID, u64.hex ModuleID, u64.hex MethodStartAddress, "
     "u32 MethodSize, u32.hex MethodToken, u32 MethodFlags:MethodFlags, "
     "wstr MethodNamespace, wstr MethodName, wstr MethodSignature"},
    {140, 0, "Method", "DCStopVerboseV2",
     "u64.hex MethodID, u64.hex ModuleID, u64.hex MethodStartAddress, "
     "u32 MethodSize, u32.hex MethodToken, u32 MethodFlags:MethodFlags, "
     "wstr MethodNamespace, wstr MethodName, wstr MethodSignature"},
    {141, 0, "Method", "Load",
     "u64.hex MethodID, u64.hex ModuleID, u64.hex MethodStartAddress, "
     "u32 MethodSize, u32.hex MethodToken, u32 MethodFlags:MethodFlags, "
     "u16 ClrInstanceID, u64.hex ReJITID"},
    {142, 0, "Method", "Unload",
     "u64.hex MethodID, u64.hex ModuleID, u64.hex MethodStartAddress, "
     "u32 MethodSize, u32.hex MethodToken, u32 MethodFlags:MethodFlags, "
     "u16 ClrInstanceID, u64.hex ReJITID"},
    {143, 0, "Method", "LoadVerbose",
     "u64.hex MethodID, u64.hex ModuleID, u64.hex MethodStartAddress, "
     "u32 MethodSize, u32.hex MethodToken, u32 MethodFlags:MethodFlags, "
     "wstr MethodNamespace, wstr MethodName, wstr MethodSignature, "
     "u16 ClrInstanceID, u64.hex ReJITID"},
    {144, 0, "Method", "UnloadVerbose",
     "u64.hex MethodID, u64.hex ModuleID, u64.hex MethodStartAddress, "
     "u32 MethodSize, u32.hex MethodToken, u32 MethodFlags:MethodFlags, "
     "wstr MethodNamespace, wstr MethodName, wstr MethodSignature, "
     "u16 ClrInstanceID, u64.hex ReJITID"},
    {145, 0, "Method", "JittingStarted",
     "u64.hex MethodID, u64.hex ModuleID, u32.hex MethodToken, "
     "u32 MethodILSize, wstr MethodNamespace, wstr MethodName, "
     "wstr MethodSignature, u16 ClrInstanceID"},
    {146, 0, "Method", "MemoryAllocatedForJitCode",
     "u64.hex MethodID, u64.hex ModuleID, u64 JitHotCodeRequestSize, "
     "u64 JitRODataRequestSize, u64 AllocatedSizeForJitCode, "
     "u32 JitAllocFlag, u16 ClrInstanceID"},
    {149, 0, "Loader", "ModuleDCStartV2",
     "u64.hex ModuleID, u64.hex AssemblyID, u32 ModuleFlags:ModuleFlags, "
     "u32 -Reserved1, wstr ModuleILPath, wstr ModuleNativePath"},
    {150, 0, "Loader", "ModuleDCStopV2",
     "u64.hex ModuleID, u64.hex AssemblyID, u32 ModuleFlags:ModuleFlags, "
     "u32 -Reserved1, wstr ModuleILPath, wstr ModuleNativePath"},
    {151, 0, "Loader", "DomainModuleLoad",
     "u64.hex ModuleID, u64.hex AssemblyID, u64.hex AppDomainID, "
     "u32 ModuleFlags:ModuleFlags, u32 -Reserved1, wstr ModuleILPath, "
     "wstr ModuleNativePath, u16 ClrInstanceID"},
    {152, 0, "Loader", "ModuleLoad",
     "u64.hex ModuleID, u64.hex AssemblyID, u32 ModuleFlags:ModuleFlags, "
     "u32 -Reserved1, wstr ModuleILPath, wstr ModuleNativePath, "
     "u16 ClrInstanceID, guid ManagedPdbSignature, u32 ManagedPdbAge, "
     "wstr ManagedPdbBuildPath, guid NativePdbSignature, u32 NativePdbAge, "
     "wstr NativePdbBuildPath, wstr NativeBuildID"},
    {153, 0, "Loader", "ModuleUnload",
     "u64.hex ModuleID, u64.hex AssemblyID, u32 ModuleFlags:ModuleFlags, "
     "u32 -Reserved1, wstr ModuleILPath, wstr ModuleNativePath, "
     "u16 ClrInstanceID, guid ManagedPdbSignature, u32 ManagedPdbAge, "
     "wstr ManagedPdbBuildPath, guid NativePdbSignature, u32 NativePdbAge, "
     "wstr NativePdbBuildPath"},
    {154, 0, "Loader", "AssemblyLoad",
     "u64.hex AssemblyID, u64.hex AppDomainID, "
     "u32 AssemblyFlags:AssemblyFlags, wstr FullyQualifiedAssemblyName"},
    {154, 1, "Loader", "AssemblyLoad",
     "u64.hex AssemblyID, u64.hex AppDomainID, u64.hex BindingID, "
     "u32 AssemblyFlags:AssemblyFlags, wstr FullyQualifiedAssemblyName, "
     "u16 ClrInstanceID"},
    {155, 0, "Loader", "AssemblyUnload",
     "u64.hex AssemblyID, u64.hex AppDomainID, "
     "u32 AssemblyFlags:AssemblyFlags, wstr FullyQualifiedAssemblyName"},
    {155, 1, "Loader", "AssemblyUnload",
     "u64.hex AssemblyID, u64.hex AppDomainID, u64.hex BindingID, "
     "u32 AssemblyFlags:AssemblyFlags, wstr FullyQualifiedAssemblyName, "
     "u16 ClrInstanceID"},
    {156, 0, "Loader", "AppDomainLoad",
     "u64.hex AppDomainID, u32 AppDomainFlags:AppDomainFlags, "
     "wstr AppDomainName, u32 AppDomainIndex, u16 ClrInstanceID"},
    {157, 0, "Loader", "AppDomainUnload",
     "u64.hex AppDomainID, u32 AppDomainFlags:AppDomainFlags, "
     "wstr AppDomainName, u32 AppDomainIndex, u16 ClrInstanceID"},
    {158, 0, "Loader", "ModuleRangeLoad",
     "u16 ClrInstanceID, u64.hex ModuleID, u32 RangeBegin, u32 RangeSize, "
     "u8 RangeType"},
    {159, 0, "Method", "R2RGetEntryPoint",
     "u64.hex MethodID, wstr MethodNamespace, wstr MethodName, "
     "wstr MethodSignature, u64.hex EntryPoint, u16 ClrInstanceID"},
    {160, 0, "Method", "R2RGetEntryPointStart",
     "u64.hex MethodID, u16 ClrInstanceID"},
    {181, 0, "StrongNameVerification", "Start",
     "u32 VerificationFlags, u32 ErrorCode, "
     "wstr FullyQualifiedAssemblyName, u16 ClrInstanceID"},
    {182, 0, "StrongNameVerification", "Stop",
     "u32 VerificationFlags, u32 ErrorCode, "
     "wstr FullyQualifiedAssemblyName, u16 ClrInstanceID"},
    {183, 0, "AuthenticodeVerification", "Start",
     "u32 VerificationFlags, u32 ErrorCode, wstr ModulePath, "
     "u16 ClrInstanceID"},
    {184, 0, "AuthenticodeVerification", "Stop",
     "u32 VerificationFlags, u32 ErrorCode, wstr ModulePath, "
     "u16 ClrInstanceID"},
    {185, 0, "Method", "InliningSucceeded",
     "wstr MethodBeingCompiledNamespace, wstr MethodBeingCompiledName, "
     "wstr MethodBeingCompiledNameSignature, wstr InlinerNamespace, "
     "wstr InlinerName, wstr InlinerNameSignature, wstr InlineeNamespace, "
     "wstr InlineeName, wstr InlineeNameSignature, u16 ClrInstanceID"},
    {186, 0, "Method", "InliningFailedAnsi",
     "wstr MethodBeingCompiledNamespace, wstr MethodBeingCompiledName, "
     "wstr MethodBeingCompiledNameSignature, wstr InlinerNamespace, "
     "wstr InlinerName, wstr InlinerNameSignature, wstr InlineeNamespace, "
     "wstr InlineeName, wstr InlineeNameSignature, bool32 FailAlways"},
    {187, 0, "Runtime", "Start",
     "u16 ClrInstanceID, u16 Sku:RuntimeSku, u16 BclMajorVersion, "
     "u16 BclMinorVersion, u16 BclBuildNumber, u16 BclQfeNumber, "
     "u16 VMMajorVersion, u16 VMMinorVersion, u16 VMBuildNumber, "
     "u16 VMQfeNumber, u32 StartupFlags:StartupFlags, "
     "u8 StartupMode:StartupMode, wstr CommandLine, guid ComObjectGuid, "
     "wstr RuntimeDllPath"},
    {188, 0, "Method", "TailCallSucceeded",
     "wstr MethodBeingCompiledNamespace, wstr MethodBeingCompiledName, "
     "wstr MethodBeingCompiledNameSignature, wstr CallerNamespace, "
     "wstr CallerName, wstr CallerNameSignature, wstr CalleeNamespace, "
     "wstr CalleeName, wstr CalleeNameSignature, bool32 TailPrefix, "
     "u32 TailCallType:TailCallType, u16 ClrInstanceID"},
    {189, 0, "Method", "TailCallFailedAnsi",
     "wstr MethodBeingCompiledNamespace, wstr MethodBeingCompiledName, "
     "wstr MethodBeingCompiledNameSignature, wstr CallerNamespace, "
     "wstr CallerName, wstr CallerNameSignature, wstr CalleeNamespace, "
     "wstr CalleeName, wstr CalleeNameSignature, bool32 TailPrefix"},
    {190, 0, "Method", "ILToNativeMap",
     "u64.hex MethodID, u64.hex ReJITID, u8 MethodExtent, "
     "u16 CountOfMapEntries, i32 ILOffsets[CountOfMapEntries], "
     "u32 NativeOffsets[CountOfMapEntries], u16 ClrInstanceID, "
     "u64.hex ILVersionID"},
    {191, 0, "Method", "TailCallFailed",
     "wstr MethodBeingCompiledNamespace, wstr MethodBeingCompiledName, "
     "wstr MethodBeingCompiledNameSignature, wstr CallerNamespace, "
     "wstr CallerName, wstr CallerNameSignature, wstr CalleeNamespace, "
     "wstr CalleeName, wstr CalleeNameSignature, bool32 TailPrefix, "
     "wstr FailReason, u16 ClrInstanceID"},
    {192, 0, "Method", "InliningFailed",
     "wstr MethodBeingCompiledNamespace, wstr MethodBeingCompiledName, "
     "wstr MethodBeingCompiledNameSignature, wstr InlinerNamespace, "
     "wstr InlinerName, wstr InlinerNameSignature, wstr InlineeNamespace, "
     "wstr InlineeName, wstr InlineeNameSignature, bool32 FailAlways, "
     "wstr FailReason, u16 ClrInstanceID"},
    {200, 0, "GarbageCollection", "IncreaseMemoryPressure",
     "u64 BytesAllocated, u16 ClrInstanceID"},
    {201, 0, "GarbageCollection", "DecreaseMemoryPressure",
     "u64 BytesFreed, u16 ClrInstanceID"},
    {202, 0, "GC", "MarkWithType",
     "u32 HeapNum, u16 ClrInstanceID, u32 Type, u64 Promoted"},
    {203, 0, "GC", "Join",
     "u32 Heap, u32 JoinTime:GcJoinTime, u32 JoinType:GcJoinType, "
     "u16 ClrInstanceID, u32.hex JoinID"},
    {204, 3, "GC", "PerHeapHistory",
     "u16 ClrInstanceID, ptr.dec FreeListAllocated, ptr.dec FreeListRejected, "
     "ptr.dec EndOfSegAllocated, ptr.dec CondemnedAllocated, ptr.dec "
     "PinnedAllocated, "
     "ptr.dec PinnedAllocatedAdvance, u32 RunningFreeListEfficiency, "
     "u32 CondemnReasons0, u32 CondemnReasons1, "
     "u32 CompactMechanisms:GCCompactReason, "
     "u32 ExpandMechanisms:GCExpandMechanism, u32 HeapIndex, ptr.dec "
     "ExtraGen0Commit, u32 Count, "
     "{ptr.dec SizeBefore, ptr.dec FreeListBefore, ptr.dec FreeObjBefore, "
     "ptr.dec SizeAfter, ptr.dec FreeListAfter, ptr.dec FreeObjAfter, ptr.dec "
     "In, "
     "ptr.dec PinnedSurv, ptr.dec NonePinnedSurv, ptr.dec NewAllocation} "
     "Values[Count]"},
    {205, 0, "GC", "GlobalHeapHistory",
     "u64 FinalYoungestDesired, i32 NumHeaps, u32 CondemnedGeneration, "
     "u32 Gen0ReductionCount, u32 Reason:GCReason, "
     "u32 GlobalMechanisms:GCGlobalMechanisms, u16 ClrInstanceID, "
     "u32 PauseMode:GCPauseMode, u32 MemoryPressure, u32 CondemnReasons0, "
     "u32 CondemnReasons1, u32 Count, u32 Times[Count]"},
    {206, 0, "GC", "GenAwareBegin", "u32 Count, u16 ClrInstanceID"},
    {207, 0, "GC", "GenAwareEnd", "u32 Count, u16 ClrInstanceID"},
    {208, 0, "GC", "LOHCompact",
     "u16 ClrInstanceID, u16 Count, {u32 TimePlan, u32 TimeCompact, "
     "u32 TimeRelocate, pad64 -Pad, ptr TotalRefs, ptr ZeroRefs} "
     "Values[Count]"},
    {209, 0, "GC", "FitBucketInfo",
     "u16 ClrInstanceID, u16 BucketKind:BucketKind, u64 TotalSize, "
     "u16 Count, {u16 Index, u16 -Pad, u32 Count, ptr Size} Values[Count]"},
    {240, 0, "DebugIPCEvent", "Start", ""},
    {241, 0, "DebugIPCEvent", "Stop", ""},
    {242, 0, "DebugExceptionProcessing", "Start", ""},
    {243, 0, "DebugExceptionProcessing", "Stop", ""},
    {250, 0, "ExceptionCatch", "Start",
     "u64.hex EntryEIP, u64.hex MethodID, wstr MethodName, "
     "u16 ClrInstanceID"},
    {251, 0, "ExceptionCatch", "Stop", ""},
    {252, 0, "ExceptionFinally", "Start",
     "u64.hex EntryEIP, u64.hex MethodID, wstr MethodName, "
     "u16 ClrInstanceID"},
    {253, 0, "ExceptionFinally", "Stop", ""},
    {254, 0, "ExceptionFilter", "Start",
     "u64.hex EntryEIP, u64.hex MethodID, wstr MethodName, "
     "u16 ClrInstanceID"},
    {255, 0, "ExceptionFilter", "Stop", ""},
    {256, 0, "Exception", "Stop", ""},
    {260, 0, "CodeSymbols", "Start",
     "u64.hex ModuleId, u16 TotalChunks, u16 ChunkNumber, u32 ChunkLength, "
     "bin(ChunkLength) Chunk, u16 ClrInstanceID"},
    {270, 0, "EventSourceEvent", "",
     "i32 EventID, wstr EventName, wstr EventSourceName, wstr Payload"},
    {280, 0, "TieredCompilation", "Settings",
     "u16 ClrInstanceID, u32 Flags:TieredCompilationSettingsFlags"},
    {281, 0, "TieredCompilation", "Pause", "u16 ClrInstanceID"},
    {282, 0, "TieredCompilation", "Resume",
     "u16 ClrInstanceID, u32 NewMethodCount"},
    {283, 0, "TieredCompilation", "BackgroundJitStart",
     "u16 ClrInstanceID, u32 PendingMethodCount"},
    {284, 0, "TieredCompilation", "BackgroundJitStop",
     "u16 ClrInstanceID, u32 PendingMethodCount, u32 JittedMethodCount"},
    {290, 0, "AssemblyLoader", "Start",
     "u16 ClrInstanceID, wstr AssemblyName, wstr AssemblyPath, "
     "wstr RequestingAssembly, wstr AssemblyLoadContext, "
     "wstr RequestingAssemblyLoadContext"},
    {291, 0, "AssemblyLoader", "Stop",
     "u16 ClrInstanceID, wstr AssemblyName, wstr AssemblyPath, "
     "wstr RequestingAssembly, wstr AssemblyLoadContext, "
     "wstr RequestingAssemblyLoadContext, bool32 Success, "
     "wstr ResultAssemblyName, wstr ResultAssemblyPath, bool32 Cached"},
    {292, 0, "AssemblyLoader", "ResolutionAttempted",
     "u16 ClrInstanceID, wstr AssemblyName, "
     "u16 Stage:ResolutionAttemptedStage, wstr AssemblyLoadContext, "
     "u16 Result:ResolutionAttemptedResult, wstr ResultAssemblyName, "
     "wstr ResultAssemblyPath, wstr ErrorMessage"},
    {293, 0, "AssemblyLoader", "AssemblyLoadContextResolvingHandlerInvoked",
     "u16 ClrInstanceID, wstr AssemblyName, wstr HandlerName, "
     "wstr AssemblyLoadContext, wstr ResultAssemblyName, "
     "wstr ResultAssemblyPath"},
    {294, 0, "AssemblyLoader", "AppDomainAssemblyResolveHandlerInvoked",
     "u16 ClrInstanceID, wstr AssemblyName, wstr HandlerName, "
     "wstr ResultAssemblyName, wstr ResultAssemblyPath"},
    {295, 0, "AssemblyLoader", "AssemblyLoadFromResolveHandlerInvoked",
     "u16 ClrInstanceID, wstr AssemblyName, bool32 IsTrackedLoad, "
     "wstr RequestingAssemblyPath, wstr ComputedRequestedAssemblyPath"},
    {296, 0, "AssemblyLoader", "KnownPathProbed",
     "u16 ClrInstanceID, wstr FilePath, u16 Source:KnownPathSource, "
     "i32 Result"},
    {297, 0, "JitInstrumentationData", "InstrumentationData",
     "u16 ClrInstanceID, u32 MethodFlags:MethodFlags, u32 DataSize, "
     "u64.hex MethodID, bin(DataSize) Data"},
    {298, 0, "JitInstrumentationDataVerbose", "InstrumentationData",
     "u16 ClrInstanceID, u32 MethodFlags:MethodFlags, u32 DataSize, "
     "u64.hex MethodID, u64.hex ModuleID, u32.hex MethodToken, "
     "wstr MethodNamespace, wstr MethodName, wstr MethodSignature, "
     "bin(DataSize) Data"},
    {299, 0, "Profiler", "Message", "u16 ClrInstanceID, wstr Message"},
    {300, 0, "ExecutionCheckpoint", "ExecutionCheckpoint",
     "u16 ClrInstanceID, wstr Name, i64 Timestamp"},
    {301, 0, "WaitHandleWait", "Start",
     "u8 WaitSource:WaitHandleWaitSource, ptr AssociatedObjectID, "
     "u16 ClrInstanceID"},
    {302, 0, "WaitHandleWait", "Stop", "u16 ClrInstanceID"},
    {303, 0, "AllocationSampling", "AllocationSampled",
     "u32 AllocationKind:GCAllocationKind, u16 ClrInstanceID, ptr TypeID, "
     "wstr TypeName, ptr Address, u64 ObjectSize, u64 SampledByteOffset"},
};
/* clang-format on */

const struct builtin_provider clr_runtime_builtin = {
    .guid = "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4",
    .name = "Microsoft-Windows-DotNETRuntime",
    .events = runtime_events,
    .count = sizeof(runtime_events) / sizeof(runtime_events[0]),
};
