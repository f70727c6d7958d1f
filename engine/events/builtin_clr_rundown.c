/*
 * What the .NET runtime lists at the start or the end of a recording.
 */
#include "engine/events/builtin.h"

/* clang-format off: tables */
static const struct builtin_event rundown_events[] = {
    {0, 0, "ClrStack", "Walk",
     "u16 ClrInstanceID, u8 -Reserved1, u8 -Reserved2, u32 FrameCount, "
     "ptr Stack[FrameCount]"},
    {10, 0, "GC", "SettingsRundown",
     "u64 HardLimit, u64 LOHThreshold, u64 PhysicalMemoryConfig, "
     "u64 Gen0MinBudgetConfig, u64 Gen0MaxBudgetConfig, "
     "u32 HighMemPercentConfig, u32.hex BitSettings, u16 ClrInstanceID"},
    {141, 0, "Method", "DCStart",
     "u64.hex MethodID, u64.hex ModuleID, u64.hex MethodStartAddress, "
     "u32 MethodSize, u32.hex MethodToken, u32 MethodFlags:MethodFlags, "
     "u16 ClrInstanceID, u64.hex ReJITID"},
    {142, 0, "Method", "DCStop",
     "u64.hex MethodID, u64.hex ModuleID, u64.hex MethodStartAddress, "
     "u32 MethodSize, u32.hex MethodToken, u32 MethodFlags:MethodFlags, "
     "u16 ClrInstanceID, u64.hex ReJITID"},
    {143, 0, "Method", "DCStartVerbose",
     "u64.hex MethodID, u64.hex ModuleID, u64.hex MethodStartAddress, "
     "u32 MethodSize, u32.hex MethodToken, u32 MethodFlags:MethodFlags, "
     "wstr MethodNamespace, wstr MethodName, wstr MethodSignature, "
     "u16 ClrInstanceID, u64.hex ReJITID"},
    {144, 0, "Method", "DCStopVerbose",
     "u64.hex MethodID, u64.hex ModuleID, u64.hex MethodStartAddress, "
     "u32 MethodSize, u32.hex MethodToken, u32 MethodFlags:MethodFlags, "
     "wstr MethodNamespace, wstr MethodName, wstr MethodSignature, "
     "u16 ClrInstanceID, u64.hex ReJITID"},
    {145, 0, "Method", "DCStartComplete",
     "u16 ClrInstanceID"},
    {146, 0, "Method", "DCStopComplete",
     "u16 ClrInstanceID"},
    {147, 0, "Method", "DCStartInit",
     "u16 ClrInstanceID"},
    {148, 0, "Method", "DCStopInit",
     "u16 ClrInstanceID"},
    {149, 0, "Method", "ILToNativeMapDCStart",
     "u64.hex MethodID, u64.hex ReJITID, u8 MethodExtent, "
     "u16 CountOfMapEntries, i32 ILOffsets[CountOfMapEntries], "
     "u32 NativeOffsets[CountOfMapEntries], u16 ClrInstanceID, "
     "u64.hex ILVersionID"},
    {150, 0, "Method", "ILToNativeMapDCStop",
     "u64.hex MethodID, u64.hex ReJITID, u8 MethodExtent, "
     "u16 CountOfMapEntries, i32 ILOffsets[CountOfMapEntries], "
     "u32 NativeOffsets[CountOfMapEntries], u16 ClrInstanceID, "
     "u64.hex ILVersionID"},
    {151, 0, "Loader", "DomainModuleDCStart",
     "u64.hex ModuleID, u64.hex AssemblyID, u64.hex AppDomainID, "
     "u32 ModuleFlags:ModuleFlags, u32 -Reserved1, wstr ModuleILPath, "
     "wstr ModuleNativePath, u16 ClrInstanceID"},
    {152, 0, "Loader", "DomainModuleDCStop",
     "u64.hex ModuleID, u64.hex AssemblyID, u64.hex AppDomainID, "
     "u32 ModuleFlags:ModuleFlags, u32 -Reserved1, wstr ModuleILPath, "
     "wstr ModuleNativePath, u16 ClrInstanceID"},
    {153, 0, "Loader", "ModuleDCStart",
     "u64.hex ModuleID, u64.hex AssemblyID, u32 ModuleFlags:ModuleFlags, "
     "u32 -Reserved1, wstr ModuleILPath, wstr ModuleNativePath, "
     "u16 ClrInstanceID, guid ManagedPdbSignature, u32 ManagedPdbAge, "
     "wstr ManagedPdbBuildPath, guid NativePdbSignature, u32 NativePdbAge, "
     "wstr NativePdbBuildPath, wstr NativeBuildID"},
    {154, 0, "Loader", "ModuleDCStop",
     "u64.hex ModuleID, u64.hex AssemblyID, u32 ModuleFlags:ModuleFlags, "
     "u32 -Reserved1, wstr ModuleILPath, wstr ModuleNativePath, "
     "u16 ClrInstanceID, guid ManagedPdbSignature, u32 ManagedPdbAge, "
     "wstr ManagedPdbBuildPath, guid NativePdbSignature, u32 NativePdbAge, "
     "wstr NativePdbBuildPath, wstr NativeBuildID"},
    {155, 0, "Loader", "AssemblyDCStart",
     "u64.hex AssemblyID, u64.hex AppDomainID, "
     "u32 AssemblyFlags:AssemblyFlags, wstr FullyQualifiedAssemblyName"},
    {155, 1, "Loader", "AssemblyDCStart",
     "u64.hex AssemblyID, u64.hex AppDomainID, u64.hex BindingID, "
     "u32 AssemblyFlags:AssemblyFlags, wstr FullyQualifiedAssemblyName, "
     "u16 ClrInstanceID"},
    {156, 0, "Loader", "AssemblyDCStop",
     "u64.hex AssemblyID, u64.hex AppDomainID, "
     "u32 AssemblyFlags:AssemblyFlags, wstr FullyQualifiedAssemblyName"},
    {156, 1, "Loader", "AssemblyDCStop",
     "u64.hex AssemblyID, u64.hex AppDomainID, u64.hex BindingID, "
     "u32 AssemblyFlags:AssemblyFlags, wstr FullyQualifiedAssemblyName, "
     "u16 ClrInstanceID"},
    {157, 0, "Loader", "AppDomainDCStart",
     "u64.hex AppDomainID, u32 AppDomainFlags:AppDomainFlags, "
     "wstr AppDomainName, u32 AppDomainIndex, u16 ClrInstanceID"},
    {158, 0, "Loader", "AppDomainDCStop",
     "u64.hex AppDomainID, u32 AppDomainFlags:AppDomainFlags, "
     "wstr AppDomainName, u32 AppDomainIndex, u16 ClrInstanceID"},
    {159, 0, "Loader", "ThreadDCStop",
     "u64.hex ManagedThreadID, u64.hex AppDomainID, u32 Flags:ThreadFlags, "
     "u32 ManagedThreadIndex, u32.tid OSThreadID, u16 ClrInstanceID"},
    {160, 0, "Loader", "ModuleRangeDCStart",
     "u16 ClrInstanceID, u64.hex ModuleID, u32 RangeBegin, u32 RangeSize, "
     "u8 RangeType"},
    {161, 0, "Loader", "ModuleRangeDCStop",
     "u16 ClrInstanceID, u64.hex ModuleID, u32 RangeBegin, u32 RangeSize, "
     "u8 RangeType"},
    {187, 0, "Runtime", "Start",
     "u16 ClrInstanceID, u16 Sku:RuntimeSku, u16 BclMajorVersion, "
     "u16 BclMinorVersion, u16 BclBuildNumber, u16 BclQfeNumber, "
     "u16 VMMajorVersion, u16 VMMinorVersion, u16 VMBuildNumber, "
     "u16 VMQfeNumber, u32 StartupFlags:StartupFlags, "
     "u8 StartupMode:StartupMode, wstr CommandLine, guid ComObjectGuid, "
     "wstr RuntimeDllPath"},
    {188, 0, "CodeSymbolsRundown", "Start",
     "u64.hex ModuleId, u16 TotalChunks, u16 ChunkNumber, u32 ChunkLength, "
     "bin(ChunkLength) Chunk, u16 ClrInstanceID"},
    {280, 0, "TieredCompilationRundown", "SettingsDCStart",
     "u16 ClrInstanceID, u32 Flags:TieredCompilationSettingsFlags"},
    {300, 0, "ExecutionCheckpointRundown", "ExecutionCheckpointDCEnd",
     "u16 ClrInstanceID, wstr Name, i64 Timestamp"},
};
/* clang-format on */

const struct builtin_provider clr_rundown_builtin = {
    .guid = "a669021c-c450-4609-a035-5af59af4df18",
    .name = "Microsoft-Windows-DotNETRuntimeRundown",
    .events = rundown_events,
    .count = sizeof(rundown_events) / sizeof(rundown_events[0]),
};
