/* Of the .NET runtime, and of scripts. */
#include "engine/events/enums.h"

/* clang-format off: tables */
static const struct event_name gc_reason[] = {
    {0x0, "AllocSmall"}, {0x1, "Induced"}, {0x2, "LowMemory"}, {0x3, "Empty"},
    {0x4, "AllocLarge"}, {0x5, "OutOfSpaceSOH"}, {0x6, "OutOfSpaceLOH"},
    {0x7, "InducedNotForced"}, {0x8, "Internal"}, {0x9, "InducedLowMemory"},
    {0xa, "InducedCompacting"}, {0xb, "LowMemoryHost"}, {0xc, "PMFullGC"},
    {0xd, "LowMemoryHostBlocking"},
};

static const struct event_name gc_type[] = {
    {0x0, "NonConcurrentGC"}, {0x1, "BackgroundGC"}, {0x2, "ForegroundGC"},
};

static const struct event_name gc_segment_type[] = {
    {0x0, "SmallObjectHeap"}, {0x1, "LargeObjectHeap"}, {0x2, "ReadOnlyHeap"},
    {0x3, "PinnedObjectHeap"},
};

static const struct event_name gc_suspendee_reason[] = {
    {0x0, "SuspendOther"}, {0x1, "SuspendForGC"},
    {0x2, "SuspendForAppDomainShutdown"}, {0x3, "SuspendForCodePitching"},
    {0x4, "SuspendForShutdown"}, {0x5, "SuspendForDebugger"},
    {0x6, "SuspendForGCPrep"}, {0x7, "SuspendForDebuggerSweep"},
};

static const struct event_name gc_allocation_kind[] = {
    {0x0, "Small"}, {0x1, "Large"}, {0x2, "Pinned"},
};

static const struct event_name gc_handle_kind[] = {
    {0x0, "WeakShort"}, {0x1, "WeakLong"}, {0x2, "Strong"}, {0x3, "Pinned"},
    {0x4, "Variable"}, {0x5, "RefCounted"}, {0x6, "Dependent"},
    {0x7, "AsyncPinned"}, {0x8, "SizedRef"},
    {0xfffffff9, "DependendAsyncPinned"},
};

static const struct event_name gc_root_kind[] = {
    {0x0, "Stack"}, {0x1, "Finalizer"}, {0x2, "Handle"}, {0x3, "Older"},
    {0x4, "SizedRef"}, {0x5, "Overflow"},
};

static const struct event_name gc_root_flags[] = {
    {0x0, "None"}, {0x1, "Pinning"}, {0x2, "WeakRef"}, {0x4, "Interior"},
    {0x8, "RefCounted"},
};

static const struct event_name gc_root_static_var_flags[] = {
    {0x0, "None"}, {0x1, "ThreadLocal"},
};

static const struct event_name gc_rootrcw_flags[] = {
    {0x0, "None"}, {0x1, "Duplicate"}, {0x2, "XAMLObject"},
    {0x4, "ExtendsComObject"},
};

static const struct event_name gc_rootccw_flags[] = {
    {0x0, "None"}, {0x1, "Strong"}, {0x2, "XAMLObject"},
    {0x4, "ExtendsComObject"},
};

static const struct event_name gc_pause_mode[] = {
    {0x0, "Batch"}, {0x1, "Interactive"}, {0x2, "LowLatency"},
    {0x3, "SustainedLowLatency"}, {0x4, "NoGC"}, {0xffffffff, "Invalid"},
};

static const struct event_name gc_global_mechanisms[] = {
    {0x0, "None"}, {0x1, "Concurrent"}, {0x2, "Compaction"},
    {0x4, "Promotion"}, {0x8, "Demotion"}, {0x10, "CardBundles"},
};

static const struct event_name gc_join_type[] = {
    {0x0, "LastJoin"}, {0x1, "Join"}, {0x2, "Restart"}, {0x3, "FirstJoin"},
};

/* The top bit says that there is one, another bit which. */
#define MECHANISM(n) 0x80000000u | 1u << (n)
static const struct event_name gc_compact_reason[] = {
    {0x0, "not_specified"},
    {MECHANISM(0), "compact_low_ephemeral"},
    {MECHANISM(1), "compact_high_frag"},
    {MECHANISM(2), "compact_no_gaps"},
    {MECHANISM(3), "compact_loh_forced"},
    {MECHANISM(4), "compact_last_gc"},
    {MECHANISM(5), "compact_induced_compacting"},
    {MECHANISM(6), "compact_fragmented_gen0"},
    {MECHANISM(7), "compact_high_mem_load"},
    {MECHANISM(8), "compact_high_mem_frag"},
    {MECHANISM(9), "compact_vhigh_mem_frag"},
    {MECHANISM(10), "compact_no_gc_mode"},
    {MECHANISM(11), "compact_aggressive_compacting"},
};

static const struct event_name gc_expand_mechanism[] = {
    {0x0, "not_specified"},
    {MECHANISM(0), "expand_reuse_normal"},
    {MECHANISM(1), "expand_reuse_bestfit"},
    {MECHANISM(2), "expand_new_seg_ep"},
    {MECHANISM(3), "expand_new_seg"},
    {MECHANISM(4), "expand_no_memory"},
    {MECHANISM(5), "expand_next_full_gc"},
};
#undef MECHANISM

static const struct event_name gc_join_time[] = {
    {0x0, "Start"}, {0x1, "End"},
};

static const struct event_name bucket_kind[] = {
    {0x0, "LargestFreeListItems"}, {0x1, "PlugsInCondemned"},
};

static const struct event_name contention_flags[] = {
    {0x0, "Managed"}, {0x1, "Native"},
};

static const struct event_name exception_thrown_flags[] = {
    {0x0, "None"}, {0x1, "HasInnerException"}, {0x2, "Nested"},
    {0x4, "ReThrown"}, {0x8, "CorruptedState"}, {0x10, "CLSCompliant"},
};

static const struct event_name il_stub_generated_flags[] = {
    {0x0, "None"}, {0x1, "ReverseInterop"}, {0x2, "ComInterop"},
    {0x4, "NGenedStub"}, {0x8, "Delegate"}, {0x10, "VarArg"},
    {0x20, "UnmanagedCallee"},
};

static const struct event_name method_flags[] = {
    {0x0, "None"}, {0x1, "Dynamic"}, {0x2, "Generic"},
    {0x4, "HasSharedGenericCode"}, {0x8, "Jitted"}, {0x10, "JitHelper"},
    {0x20, "ProfilerRejectedPrecompiledCode"},
    {0x40, "ReadyToRunRejectedPrecompiledCode"},
    /* What tier the code is of, in bits 7 to 9; and the cold part. */
    {0x380, "OptimizedTier1Instrumented"}, {0x300, "QuickJittedInstrumented"},
    {0x280, "OptimizedTier1OSR"}, {0x180, "QuickJitted"},
    {0x200, "OptimizedTier1"}, {0x100, "Optimized"}, {0x80, "MinOptJitted"},
    {0x10000000, "Cold"},
};

static const struct event_name module_flags[] = {
    {0x0, "None"}, {0x1, "DomainNeutral"}, {0x2, "Native"}, {0x4, "Dynamic"},
    {0x8, "Manifest"}, {0x10, "IbcOptimized"}, {0x20, "ReadyToRunModule"},
    {0x40, "PartialReadyToRunModule"},
};

static const struct event_name assembly_flags[] = {
    {0x0, "None"}, {0x1, "DomainNeutral"}, {0x2, "Dynamic"}, {0x4, "Native"},
    {0x8, "Collectible"}, {0x10, "ReadyToRun"},
};

static const struct event_name app_domain_flags[] = {
    {0x0, "None"}, {0x1, "Default"}, {0x2, "Executable"}, {0x4, "Shared"},
};

static const struct event_name runtime_sku[] = {
    {0x0, "None"}, {0x1, "DesktopClr"}, {0x2, "CoreClr"}, {0x4, "Mono"},
};

static const struct event_name startup_mode[] = {
    {0x0, "None"}, {0x1, "ManagedExe"}, {0x2, "HostedClr"}, {0x4, "IjwDll"},
    {0x8, "ComActivated"}, {0x10, "Other"},
};

static const struct event_name startup_flags[] = {
    {0x0, "None"}, {0x1, "CONCURRENT_GC"},
    {0x2, "LOADER_OPTIMIZATION_SINGLE_DOMAIN"},
    {0x4, "LOADER_OPTIMIZATION_MULTI_DOMAIN"}, {0x10, "LOADER_SAFEMODE"},
    {0x100, "LOADER_SETPREFERENCE"}, {0x1000, "SERVER_GC"},
    {0x2000, "HOARD_GC_VM"}, {0x4000, "SINGLE_VERSION_HOSTING_INTERFACE"},
    {0x10000, "LEGACY_IMPERSONATION"}, {0x20000, "DISABLE_COMMITTHREADSTACK"},
    {0x40000, "ALWAYSFLOW_IMPERSONATION"}, {0x80000, "TRIM_GC_COMMIT"},
    {0x100000, "ETW"}, {0x200000, "SERVER_BUILD"}, {0x400000, "ARM"},
};

static const struct event_name thread_adjustment_reason[] = {
    {0x0, "Warmup"}, {0x1, "Initializing"}, {0x2, "RandomMove"},
    {0x3, "ClimbingMove"}, {0x4, "ChangePoint"}, {0x5, "Stabilizing"},
    {0x6, "Starvation"}, {0x7, "ThreadTimedOut"},
    {0x8, "CooperativeBlocking"},
};

static const struct event_name thread_flags[] = {
    {0x0, "None"}, {0x1, "GCSpecial"}, {0x2, "Finalizer"},
    {0x4, "ThreadPoolWorker"},
};

static const struct event_name type_flags[] = {
    {0x0, "None"}, {0x1, "Delegate"}, {0x2, "Finalizable"},
    {0x4, "ExternallyImplementedCOMObject"}, {0x8, "Array"},
    {0x10, "ModuleBaseAddress"}, {0x100, "ArrayRankBit0"},
    {0x200, "ArrayRankBit1"}, {0x400, "ArrayRankBit2"},
    {0x800, "ArrayRankBit3"}, {0x1000, "ArrayRankBit4"},
    {0x2000, "ArrayRankBit5"},
};

static const struct event_name tail_call_type[] = {
    {0x0, "OptimizedTailCall"}, {0x1, "RecursiveLoop"},
    {0x2, "HelperAssistedTailCall"}, {0xffffffff, "Unknown"},
};

static const struct event_name tiered_compilation_settings_flags[] = {
    {0x0, "None"}, {0x1, "QuickJit"}, {0x2, "QuickJitForLoops"},
    {0x4, "TieredPGO"}, {0x8, "ReadyToRun"},
};

static const struct event_name wait_handle_wait_source[] = {
    {0x0, "Unknown"}, {0x1, "MonitorWait"},
};

static const struct event_name known_path_source[] = {
    {0x0, "ApplicationAssemblies"}, {0x1, "AppNativeImagePaths"},
    {0x2, "AppPaths"}, {0x3, "PlatformResourceRoots"},
    {0x4, "SatelliteSubdirectory"},
};

static const struct event_name resolution_attempted_result[] = {
    {0x0, "Success"}, {0x1, "AssemblyNotFound"},
    {0x2, "MismatchedAssemblyName"}, {0x3, "IncompatibleVersion"},
    {0x4, "Failure"}, {0x5, "Exception"},
};

static const struct event_name resolution_attempted_stage[] = {
    {0x0, "FindInLoadContext"}, {0x1, "AssemblyLoadContextLoad"},
    {0x2, "ApplicationAssemblies"},
    {0x3, "DefaultAssemblyLoadContextFallback"},
    {0x4, "ResolveSatelliteAssembly"},
    {0x5, "AssemblyLoadContextResolvingEvent"},
    {0x6, "AppDomainAssemblyResolveEvent"},
};

static const struct event_name module_range_type[] = {
    {0x0, "None"}, {0x1, "HotRange"}, {0x2, "WarmRange"}, {0x4, "ColdRange"},
    {0x8, "HotColdSortedRange"},
};

static const struct event_name module_rangeibc_type[] = {
    {0x0, "None"}, {0x1, "IBCUnprofiledSection"}, {0x2, "IBCProfiledSection"},
};

static const struct event_name module_range_section_type[] = {
    {0x1, "ModuleSection"}, {0x2, "EETableSection"},
    {0x3, "WriteDataSection"}, {0x4, "WriteableDataSection"},
    {0x5, "DataSection"}, {0x6, "RVAStaticsSection"}, {0x7, "EEDataSection"},
    {0x8, "DelayLoadInfoTableEagerSection"},
    {0x9, "DelayLoadInfoTableSection"}, {0xa, "EEReadonlyData"},
    {0xb, "ReadonlyData"}, {0xc, "ClassSection"},
    {0xd, "CrossDomainInfoSection"}, {0xe, "MethodDescSection"},
    {0xf, "MethodDescWriteableSection"}, {0x10, "ExceptionSection"},
    {0x11, "InstrumentSection"}, {0x12, "VirtualImportThunkSection"},
    {0x13, "ExternalMethodThunkSection"}, {0x14, "HelperTableSection"},
    {0x15, "MethodPrecodeWriteableSection"},
    {0x16, "MethodPrecodeWriteSection"}, {0x17, "MethodPrecodeSection"},
    {0x18, "Win32ResourcesSection"}, {0x19, "HeaderSection"},
    {0x1a, "MetadataSection"}, {0x1b, "DelayLoadInfoSection"},
    {0x1c, "ImportTableSection"}, {0x1d, "CodeSection"},
    {0x1e, "CodeHeaderSection"}, {0x1f, "CodeManagerSection"},
    {0x20, "UnwindDataSection"}, {0x21, "RuntimeFunctionSection"},
    {0x22, "StubsSection"}, {0x23, "StubDispatchDataSection"},
    {0x24, "ExternalMethodDataSection"},
    {0x25, "DelayLoadInfoDelayListSection"}, {0x26, "ReadonlySharedSection"},
    {0x27, "ReadonlySection"}, {0x28, "ILSection"}, {0x29, "GCInfoSection"},
    {0x2a, "ILMetadataSection"}, {0x2b, "ResourcesSection"},
    {0x2c, "CompressedMapsSection"}, {0x2d, "DebugSection"},
    {0x2e, "BaseRelocsSection"},
};

static const struct event_name bgc_alloc_wait_reason[] = {
    {0x9, "GetLOHSeg"}, {0xa, "AllocDuringSweep"}, {0xb, "AllocDuringBGC"},
};

static const struct event_name method_address_range[] = {
    {0x1, "Interpreted"}, {0x2, "JIT"}, {0x3, "JITLoopBody"},
};

static const struct event_name clr_thread_sample_type[] = {
    {0x0, "Error"}, {0x1, "External"}, {0x2, "Managed"},
};

/* clang-format on */

const struct event_names clr_enums[] = {
    NAMES(gc_reason, "GCReason", false),
    NAMES(gc_type, "GCType", false),
    NAMES(gc_segment_type, "GCSegmentType", false),
    NAMES(gc_suspendee_reason, "GCSuspendEEReason", false),
    NAMES(gc_allocation_kind, "GCAllocationKind", false),
    NAMES(gc_handle_kind, "GCHandleKind", false),
    NAMES(gc_root_kind, "GCRootKind", false),
    NAMES(gc_root_flags, "GCRootFlags", true),
    NAMES(gc_root_static_var_flags, "GCRootStaticVarFlags", true),
    NAMES(gc_rootrcw_flags, "GCRootRCWFlags", true),
    NAMES(gc_rootccw_flags, "GCRootCCWFlags", true),
    NAMES(gc_pause_mode, "GCPauseMode", false),
    NAMES(gc_global_mechanisms, "GCGlobalMechanisms", true),
    NAMES(gc_join_type, "GcJoinType", false),
    NAMES(gc_join_time, "GcJoinTime", false),
    NAMES(gc_compact_reason, "GCCompactReason", false),
    NAMES(gc_expand_mechanism, "GCExpandMechanism", false),
    NAMES(bucket_kind, "BucketKind", false),
    NAMES(contention_flags, "ContentionFlags", false),
    NAMES(exception_thrown_flags, "ExceptionThrownFlags", true),
    NAMES(il_stub_generated_flags, "ILStubGeneratedFlags", true),
    NAMES(method_flags, "MethodFlags", true),
    NAMES(module_flags, "ModuleFlags", true),
    NAMES(assembly_flags, "AssemblyFlags", true),
    NAMES(app_domain_flags, "AppDomainFlags", true),
    NAMES(runtime_sku, "RuntimeSku", true),
    NAMES(startup_mode, "StartupMode", true),
    NAMES(startup_flags, "StartupFlags", true),
    NAMES(thread_adjustment_reason, "ThreadAdjustmentReason", false),
    NAMES(thread_flags, "ThreadFlags", true),
    NAMES(type_flags, "TypeFlags", true),
    NAMES(tail_call_type, "TailCallType", false),
    NAMES(tiered_compilation_settings_flags, "TieredCompilationSettingsFlags",
          true),
    NAMES(wait_handle_wait_source, "WaitHandleWaitSource", false),
    NAMES(known_path_source, "KnownPathSource", false),
    NAMES(resolution_attempted_result, "ResolutionAttemptedResult", false),
    NAMES(resolution_attempted_stage, "ResolutionAttemptedStage", false),
    NAMES(module_range_type, "ModuleRangeType", true),
    NAMES(module_rangeibc_type, "ModuleRangeIBCType", true),
    NAMES(module_range_section_type, "ModuleRangeSectionType", false),
    NAMES(bgc_alloc_wait_reason, "BGCAllocWaitReason", false),
    NAMES(method_address_range, "MethodAddressRange", false),
    NAMES(clr_thread_sample_type, "ClrThreadSampleType", false),
};

const size_t clr_enums_count = sizeof(clr_enums) / sizeof(clr_enums[0]);
