/*
 * Events of the Windows kernel, by hook: group << 8 | type. A layout is of the
 * version it is marked with and of all later ones up to the next row; fields
 * that later versions append are missing from older payloads. A version before
 * the first row has another layout, which is not known.
 */
#include "engine/events/builtin.h"

#define GROUP_MASKS                                                            \
    "u32.hex GroupMask1, u32.hex GroupMask2, u32.hex GroupMask3, "             \
    "u32.hex GroupMask4, u32.hex GroupMask5, u32.hex GroupMask6, "             \
    "u32.hex GroupMask7, u32.hex GroupMask8, u32 KernelEventVersion"

#define PROCESS_V0                                                             \
    "ptr.dec ProcessID, ptr.dec ParentID, wbemsid UserSID, astr ImageFileName"
#define PROCESS_V1                                                             \
    "ptr PageDirectoryBase, u32.pid ProcessID, u32.pid ParentID, "             \
    "i32 SessionID, i32 ExitStatus, wbemsid UserSID, astr ImageFileName"
#define PROCESS_V2                                                             \
    "ptr UniqueProcessKey, u32.pid ProcessID, u32.pid ParentID, "              \
    "i32 SessionID, i32 ExitStatus, wbemsid UserSID, astr ImageFileName, "     \
    "wstr CommandLine"
#define PROCESS_V3                                                             \
    "ptr UniqueProcessKey, u32.pid ProcessID, u32.pid ParentID, "              \
    "i32 SessionID, i32 ExitStatus, ptr PageDirectoryBase, "                   \
    "wbemsid UserSID, astr ImageFileName, wstr CommandLine"
#define PROCESS_V4                                                             \
    "ptr UniqueProcessKey, u32.pid ProcessID, u32.pid ParentID, "              \
    "i32 SessionID, i32 ExitStatus, ptr PageDirectoryBase, "                   \
    "u32 Flags:ProcessFlags, wbemsid UserSID, astr ImageFileName, "            \
    "wstr CommandLine, wstr PackageFullName, wstr ApplicationID, "             \
    "filetime ExitTime"

#define PROCESS_COUNTERS                                                       \
    "u32.pid ProcessID, u32 PageFaultCount, u32 HandleCount, u32 -Reserved, "  \
    "ptr.dec PeakVirtualSize, ptr.dec PeakWorkingSetSize, "                    \
    "ptr.dec PeakPagefileUsage, ptr.dec QuotaPeakPagedPoolUsage, "             \
    "ptr.dec QuotaPeakNonPagedPoolUsage, ptr.dec VirtualSize, "                \
    "ptr.dec WorkingSetSize, ptr.dec PagefileUsage, "                          \
    "ptr.dec QuotaPagedPoolUsage, ptr.dec QuotaNonPagedPoolUsage, "            \
    "ptr.dec PrivatePageCount"

#define THREAD_V0 "u32.tid ThreadID, u32.pid ProcessID"
#define THREAD_V1                                                              \
    "u32.pid ProcessID, u32.tid ThreadID, ptr StackBase, ptr StackLimit, "     \
    "ptr UserStackBase, ptr UserStackLimit, ptr StartAddr, "                   \
    "ptr Win32StartAddr, i8 WaitMode"
#define THREAD_V2                                                              \
    "u32.pid ProcessID, u32.tid ThreadID, ptr StackBase, ptr StackLimit, "     \
    "ptr UserStackBase, ptr UserStackLimit, ptr StartAddr, "                   \
    "ptr Win32StartAddr, ptr TebBase, u32 SubProcessTag, u8 BasePriority, "    \
    "u8 PagePriority, u8 IoPriority, u8 ThreadFlags, wstr ThreadName"

#define PROCESS(hook, type)                                                    \
    {hook, 0, "Process", type, PROCESS_V0},                                    \
        {hook, 1, "Process", type, PROCESS_V1},                                \
        {hook, 2, "Process", type, PROCESS_V2},                                \
        {hook, 3, "Process", type, PROCESS_V3},                                \
        {hook, 4, "Process", type, PROCESS_V4}
#define THREAD(hook, type)                                                     \
    {hook, 0, "Thread", type, THREAD_V0},                                      \
        {hook, 1, "Thread", type, THREAD_V1},                                  \
        {hook, 2, "Thread", type, THREAD_V2}
#define IMAGE(hook, type)                                                      \
    {hook, 0, "Image", type,                                                   \
     "ptr ImageBase, u32 ImageSize, wstr FileName"},                           \
        {hook, 1, "Image", type,                                               \
         "ptr ImageBase, ptr.dec ImageSize, u32.pid ProcessID, "               \
         "wstr FileName"},                                                     \
        {hook, 2, "Image", type,                                               \
         "ptr ImageBase, ptr.dec ImageSize, u32.pid ProcessID, "               \
         "u32 ImageChecksum, u32 TimeDateStamp, u8 SignatureLevel, "           \
         "u8 SignatureType, u16 -Reserved0, ptr DefaultBase, "                 \
         "u32 -Reserved1, u32 -Reserved2, u32 -Reserved3, "                    \
         "u32 -Reserved4, wstr FileName"}

#define DISK_TRANSFER                                                          \
    "u32 DiskNumber, u32 IrpFlags:IrpFlags, u32 TransferSize, "                \
    "u32 -Reserved, u64 ByteOffset, ptr FileKey, ptr Irp, "                    \
    "u64 HighResResponseTime, u32.tid IssuingThreadID"
#define DISK_INIT "ptr Irp, u32.tid IssuingThreadID"

#define FAULT "ptr VirtualAddress, ptr ProgramCounter"
#define VIRTUAL_ALLOC                                                          \
    "ptr BaseAddr, ptr.dec Length, u32.pid ProcessID, u32 Flags:VirtualAllocFlags"

#define FILE_NAME "ptr FileKey, wstr FileName"
#define FILE_SIMPLE(hook, type)                                                \
    {hook, 2, "FileIO", type,                                                  \
     "ptr IrpPtr, ptr.dec ThreadID, ptr FileObject, ptr FileKey"},             \
        {hook, 3, "FileIO", type,                                              \
         "ptr IrpPtr, ptr FileObject, ptr FileKey, u32.tid ThreadID"}
#define FILE_TRANSFER(hook, type)                                              \
    {hook, 2, "FileIO", type,                                                  \
     "u64 Offset, ptr IrpPtr, ptr.dec ThreadID, ptr FileObject, "              \
     "ptr FileKey, u32 IoSize, u32.hex IoFlags"},                              \
        {hook, 3, "FileIO", type,                                              \
         "u64 Offset, ptr IrpPtr, ptr FileObject, ptr FileKey, "               \
         "u32.tid ThreadID, u32 IoSize, u32.hex IoFlags, u32 -ExtraFlags"}
#define FILE_INFO(hook, type)                                                  \
    {hook, 2, "FileIO", type,                                                  \
     "ptr IrpPtr, ptr.dec ThreadID, ptr FileObject, ptr FileKey, "             \
     "ptr ExtraInfo, u32 InfoClass"},                                          \
        {hook, 3, "FileIO", type,                                              \
         "ptr IrpPtr, ptr FileObject, ptr FileKey, ptr ExtraInfo, "            \
         "u32.tid ThreadID, u32 InfoClass"}
#define FILE_DIRECTORY(hook, type)                                             \
    {hook, 2, "FileIO", type,                                                  \
     "ptr IrpPtr, ptr.dec ThreadID, ptr FileObject, ptr FileKey, "             \
     "u32 Length, u32 InfoClass, u32 FileIndex, wstr FileName"},               \
        {hook, 3, "FileIO", type,                                              \
         "ptr IrpPtr, ptr FileObject, ptr FileKey, u32.tid ThreadID, "         \
         "u32 Length, u32 InfoClass, u32 FileIndex, wstr FileName"}
#define FILE_MAP(hook, type)                                                   \
    {hook, 2, "FileIO", type,                                                  \
     "ptr ViewBase, ptr FileKey, u64.hex MiscInfo, ptr.dec ViewSize, "         \
     "u32.pid ProcessID"},                                                     \
        {hook, 3, "FileIO", type,                                              \
         "ptr ViewBase, ptr FileKey, u64.hex MiscInfo, ptr.dec ViewSize, "     \
         "u64 ByteOffset, u32.pid ProcessID"}

#define REGISTRY(hook, type)                                                   \
    {hook, 0, "Registry", type,                                                \
     "ptr Status, ptr KeyHandle, i64 ElapsedTime, wstr KeyName"},              \
        {hook, 1, "Registry", type,                                            \
         "ptr Status, ptr KeyHandle, i64 ElapsedTime, u32 Index, "             \
         "wstr KeyName"},                                                      \
        {hook, 2, "Registry", type,                                            \
         "u64.ticks InitialTime, u32.ntstatus Status, u32 Index, "             \
         "ptr KeyHandle, wstr KeyName"}

#define IPV4_PEERS                                                             \
    "u32.pid PID, u32 size, u32.ip4 daddr, u32.ip4 saddr, "                    \
    "u16.port dport, u16.port sport, "
#define IPV6_PEERS                                                             \
    "u32.pid PID, u32 size, bin.ip6(16) daddr, bin.ip6(16) saddr, "            \
    "u16.port dport, u16.port sport, "
#define TCP_V0                                                                 \
    "u32.ip4 daddr, u32.ip4 saddr, u16.port dport, u16.port sport, "           \
    "u32 size, u32.pid PID"
#define TCP_SEND "u32 startime, u32 endtime, u32 seqnum, ptr connid"
#define TCP_PLAIN "u32 seqnum, ptr connid"
#define TCP_CONNECT                                                            \
    "u16 mss, u16 sackopt, u16 tsopt, u16 wsopt, u32 rcvwin, "                 \
    "i16 rcvwinscale, i16 sndwinscale, u32 seqnum, ptr connid"
#define UDP_OLD                                                                \
    "ptr context, u32.ip4 saddr, u16.port sport, u16 size, "                   \
    "u32.ip4 daddr, u16.port dport, u16 dsize"

#define PNP_STRINGS                                                            \
    "wstr DeviceID, wstr DeviceDescription, wstr FriendlyName, "               \
    "wstr PdoName, wstr ServiceName, wstr UpperFilters[UpperFiltersCount], "   \
    "wstr LowerFilters[LowerFiltersCount]"

#define HEAP "ptr HeapHandle"
#define HEAP_SPACE                                                             \
    "ptr.dec FreeSpace, ptr.dec CommittedSpace, ptr.dec ReservedSpace, "       \
    "u32 NoOfUCRs, ptr.dec AllocatedSpace"

#define INTERRUPT_COMMON "u64.ticks InitialTime, ptr Routine"
#define SAMPLE_INTERVAL                                                        \
    "u32 SampleSource, u32 NewInterval, u32 OldInterval, wstr SourceName"
#define STACK_OF "u64.ticks EventTimeStamp, u32.pid StackProcess, "            \
                 "u32.tid StackThread, "

static const struct builtin_event kernel_events[] = {
    {0x0000, 0, "EventTrace", "Header",
     "u32 BufferSize, u32 Version, u32 ProviderVersion, "
     "u32 NumberOfProcessors, filetime EndTime, u32 TimerResolution, "
     "u32 MaxFileSize, u32.hex LogFileMode, u32 BuffersWritten, "
     "u32 StartBuffers, u32 PointerSize, u32 EventsLost, u32 CPUSpeed, "
     "ptr -LoggerName, ptr -LogFileNamePtr, i32 UtcOffsetMinutes, "
     "wstr(32) StandardName, systemtime -StandardDate, i32 StandardBias, "
     "wstr(32) DaylightName, systemtime -DaylightDate, i32 DaylightBias, "
     "u32 -Padding, filetime BootTime, u64 PerfFreq, filetime StartTime, "
     "u32 ReservedFlags, u32 BuffersLost, wstr SessionName, "
     "wstr LogFileName"},
    {0x0005, 0, "EventTrace", "Extension", GROUP_MASKS},
    {0x0008, 0, "EventTrace", "RundownComplete", ""},
    {0x0020, 0, "EventTrace", "EndExtension", GROUP_MASKS},
    {0x0050, 0, "EventTrace", "PartitionInfo",
     "u16 EventVersion, u16 -Reserved, u32 PartitionType, "
     "i64 QpcOffsetFromRoot, guid PartitionId, guid ParentId"},

    {0x010A, 0, "DiskIO", "Read", DISK_TRANSFER},
    {0x010B, 0, "DiskIO", "Write", DISK_TRANSFER},
    {0x010C, 0, "DiskIO", "ReadInit", DISK_INIT},
    {0x010D, 0, "DiskIO", "WriteInit", DISK_INIT},
    {0x010E, 0, "DiskIO", "FlushBuffers",
     "u32 DiskNumber, u32 IrpFlags:IrpFlags, u64 HighResResponseTime, "
     "ptr Irp, u32.tid IssuingThreadID"},
    {0x010F, 0, "DiskIO", "FlushInit", DISK_INIT},
    {0x0122, 0, "DiskIO", "DriverMajorFunctionCall",
     "u32 MajorFunction, u32 MinorFunction, ptr RoutineAddr, ptr FileKey, "
     "ptr Irp, u32 UniqMatchID"},
    {0x0123, 0, "DiskIO", "DriverMajorFunctionReturn",
     "ptr Irp, u32 UniqMatchID"},
    {0x0125, 0, "DiskIO", "DriverCompletionRoutine",
     "ptr Routine, ptr IrpPtr, u32 UniqMatchID"},
    {0x0134, 0, "DiskIO", "DriverCompleteRequest",
     "ptr RoutineAddr, ptr Irp, u32 UniqMatchID"},
    {0x0135, 0, "DiskIO", "DriverCompleteRequestReturn",
     "ptr Irp, u32 UniqMatchID"},

    {0x020A, 0, "Memory", "TransitionFault", FAULT},
    {0x020B, 0, "Memory", "DemandZeroFault", FAULT},
    {0x020C, 0, "Memory", "CopyOnWrite", FAULT},
    {0x020D, 0, "Memory", "GuardMemory", FAULT},
    {0x020E, 0, "Memory", "HardMemory", FAULT},
    {0x020F, 0, "Memory", "AccessViolation", FAULT},
    {0x0220, 0, "Memory", "HardFault",
     "u64.ticks InitialTime, u64 ReadOffset, ptr VirtualAddress, "
     "ptr FileKey, u32.tid ThreadID, u32 ByteCount"},
    {0x0262, 0, "VirtualMem", "Alloc", VIRTUAL_ALLOC},
    {0x0263, 0, "VirtualMem", "Free", VIRTUAL_ALLOC},
    {0x0265, 0, "Memory", "HeapRangeCreate",
     "ptr HeapHandle, ptr.dec FirstRangeSize, u32.hex HeapRangeCreateFlags"},
    {0x0266, 0, "Memory", "HeapRangeReserve",
     "ptr HeapHandle, ptr HeapRangeAddress, ptr.dec HeapRangeSize"},
    {0x0267, 0, "Memory", "HeapRangeRelease",
     "ptr HeapHandle, ptr HeapRangeAddress, ptr.dec HeapRangeSize"},
    {0x0268, 0, "Memory", "HeapRangeDestroy", "ptr HeapHandle"},
    {0x0269, 0, "Memory", "ImageLoadBacked",
     "ptr FileKey, u32.hex DeviceChar, u16.hex FileChar, u16.hex LoadFlags"},

    PROCESS(0x0301, "Start"),
    PROCESS(0x0302, "Stop"),
    PROCESS(0x0303, "DCStart"),
    PROCESS(0x0304, "DCStop"),
    IMAGE(0x030A, "Load"),
    {0x030B, 0, "Process", "Terminate", "u32.pid ProcessID"},
    {0x0320, 0, "Process", "PerfCtr", PROCESS_COUNTERS},
    {0x0321, 0, "Process", "PerfCtrRundown", PROCESS_COUNTERS},
    PROCESS(0x0327, "Defunct"),

    {0x0400, 0, "FileIO", "Name", FILE_NAME},
    {0x0420, 0, "FileIO", "FileCreate", FILE_NAME},
    {0x0423, 0, "FileIO", "FileDelete", FILE_NAME},
    {0x0424, 0, "FileIO", "FileRundown", FILE_NAME},
    FILE_MAP(0x0425, "MapFile"),
    FILE_MAP(0x0426, "UnmapFile"),
    FILE_MAP(0x0427, "MapFileDCStart"),
    FILE_MAP(0x0428, "MapFileDCStop"),
    {0x0440, 2, "FileIO", "Create",
     "ptr IrpPtr, ptr.dec ThreadID, ptr FileObject, u32.hex CreateOptions, "
     "u32.hex FileAttributes, u32 ShareAccess:FileShare, wstr FileName"},
    {0x0440, 3, "FileIO", "Create",
     "ptr IrpPtr, ptr FileObject, u32.tid ThreadID, u32.hex CreateOptions, "
     "u32.hex FileAttributes, u32 ShareAccess:FileShare, wstr FileName"},
    FILE_SIMPLE(0x0441, "Cleanup"),
    FILE_SIMPLE(0x0442, "Close"),
    FILE_TRANSFER(0x0443, "Read"),
    FILE_TRANSFER(0x0444, "Write"),
    FILE_INFO(0x0445, "SetInfo"),
    FILE_INFO(0x0446, "Delete"),
    FILE_INFO(0x0447, "Rename"),
    FILE_DIRECTORY(0x0448, "DirEnum"),
    FILE_SIMPLE(0x0449, "Flush"),
    FILE_INFO(0x044A, "QueryInfo"),
    FILE_INFO(0x044B, "FSControl"),
    {0x044C, 2, "FileIO", "OperationEnd",
     "ptr IrpPtr, ptr ExtraInfo, u32.ntstatus NtStatus"},
    FILE_DIRECTORY(0x044D, "DirNotify"),

    THREAD(0x0501, "Start"),
    THREAD(0x0502, "Stop"),
    THREAD(0x0503, "DCStart"),
    THREAD(0x0504, "DCStop"),
    {0x0524, 0, "Thread", "CSwitch",
     "u32.tid NewThreadID, u32.tid OldThreadID, i8 NewThreadPriority, "
     "i8 OldThreadPriority, u8 PreviousCState, i8 -Spare, "
     "i8 OldThreadWaitReason:ThreadWaitReason, "
     "i8 OldThreadWaitMode:ThreadWaitMode, i8 OldThreadState:ThreadState, "
     "i8 OldThreadWaitIdealProcessor, u32 NewThreadWaitTime, "
     "u32 -Reserved"},
    {0x0532, 0, "Dispatcher", "ReadyThread",
     "u32.tid AwakenedThreadID, i8 AdjustReason:AdjustReason, "
     "i8 AdjustIncrement, u8 Flags:ReadyThreadFlags, u8 -Reserved"},
    {0x0548, 0, "Thread", "SetName",
     "u32.pid ProcessID, u32.tid ThreadID, wstr ThreadName"},

    {0x060A, 0, "TcpIp", "Send", TCP_V0},
    {0x060A, 1, "TcpIp", "Send", IPV4_PEERS TCP_SEND},
    {0x060B, 0, "TcpIp", "Recv", TCP_V0},
    {0x060B, 1, "TcpIp", "Recv", IPV4_PEERS TCP_PLAIN},
    {0x060C, 0, "TcpIp", "Connect", TCP_V0},
    {0x060C, 1, "TcpIp", "Connect", IPV4_PEERS TCP_CONNECT},
    {0x060D, 0, "TcpIp", "Disconnect", TCP_V0},
    {0x060D, 1, "TcpIp", "Disconnect", IPV4_PEERS TCP_PLAIN},
    {0x060E, 0, "TcpIp", "Retransmit", TCP_V0},
    {0x060E, 1, "TcpIp", "Retransmit", IPV4_PEERS TCP_PLAIN},
    {0x060F, 0, "TcpIp", "Accept", TCP_V0},
    {0x060F, 1, "TcpIp", "Accept", IPV4_PEERS TCP_CONNECT},
    {0x0610, 0, "TcpIp", "Reconnect", IPV4_PEERS TCP_PLAIN},
    {0x0611, 0, "TcpIp", "Fail", "u32 Proto, u32 FailureCode"},
    {0x0611, 2, "TcpIp", "Fail", "u16 Proto, u16 FailureCode"},
    {0x0612, 0, "TcpIp", "TCPCopy", IPV4_PEERS TCP_PLAIN},
    {0x0613, 0, "TcpIp", "ARPCopy", IPV4_PEERS TCP_PLAIN},
    {0x0614, 0, "TcpIp", "FullACK", IPV4_PEERS TCP_PLAIN},
    {0x0615, 0, "TcpIp", "PartACK", IPV4_PEERS TCP_PLAIN},
    {0x0616, 0, "TcpIp", "DupACK", IPV4_PEERS TCP_PLAIN},
    {0x061A, 0, "TcpIp", "SendIPV6", IPV6_PEERS TCP_SEND},
    {0x061B, 0, "TcpIp", "RecvIPV6", IPV6_PEERS TCP_PLAIN},
    {0x061C, 0, "TcpIp", "ConnectIPV6", IPV6_PEERS TCP_CONNECT},
    {0x061D, 0, "TcpIp", "DisconnectIPV6", IPV6_PEERS TCP_PLAIN},
    {0x061E, 0, "TcpIp", "RetransmitIPV6", IPV6_PEERS TCP_PLAIN},
    {0x061F, 0, "TcpIp", "AcceptIPV6", IPV6_PEERS TCP_CONNECT},
    {0x0620, 0, "TcpIp", "ReconnectIPV6", IPV6_PEERS TCP_PLAIN},
    {0x0622, 0, "TcpIp", "TCPCopyIPV6", IPV6_PEERS TCP_PLAIN},

    {0x080A, 0, "UdpIp", "Send", UDP_OLD},
    {0x080A, 1, "UdpIp", "Send", IPV4_PEERS TCP_PLAIN},
    {0x080B, 0, "UdpIp", "Recv", UDP_OLD},
    {0x080B, 1, "UdpIp", "Recv", IPV4_PEERS TCP_PLAIN},
    {0x0811, 0, "UdpIp", "Fail", "u16 Proto, u16 FailureCode"},
    {0x081A, 0, "UdpIp", "SendIPV6", IPV6_PEERS TCP_PLAIN},
    {0x081B, 0, "UdpIp", "RecvIPV6", IPV6_PEERS TCP_PLAIN},

    REGISTRY(0x090A, "Create"),
    REGISTRY(0x090B, "Open"),
    REGISTRY(0x090C, "Delete"),
    REGISTRY(0x090D, "Query"),
    REGISTRY(0x090E, "SetValue"),
    REGISTRY(0x090F, "DeleteValue"),
    REGISTRY(0x0910, "QueryValue"),
    REGISTRY(0x0911, "EnumerateKey"),
    REGISTRY(0x0912, "EnumerateValueKey"),
    REGISTRY(0x0913, "QueryMultipleValue"),
    REGISTRY(0x0914, "SetInformation"),
    REGISTRY(0x0915, "Flush"),
    REGISTRY(0x0916, "KCBCreate"),
    REGISTRY(0x0917, "KCBDelete"),
    REGISTRY(0x0918, "KCBRundownBegin"),
    REGISTRY(0x0919, "KCBRundownEnd"),
    REGISTRY(0x091A, "Virtualize"),
    REGISTRY(0x091B, "Close"),

    {0x0B0A, 0, "SystemConfig", "CPU",
     "u32 MHz, u32 NumberOfProcessors, u32 MemSize, u32 PageSize, "
     "u32 AllocationGranularity, wstr(256) ComputerName, "
     "wstr(132) DomainName, ptr HyperThreadingFlag"},
    {0x0B0A, 2, "SystemConfig", "CPU",
     "u32 MHz, u32 NumberOfProcessors, u32 MemSize, u32 PageSize, "
     "u32 AllocationGranularity, wstr(256) ComputerName, "
     "wstr(134) DomainName, ptr HyperThreadingFlag"},
    {0x0B0A, 3, "SystemConfig", "CPU",
     "u32 MHz, u32 NumberOfProcessors, u32 MemSize, u32 PageSize, "
     "u32 AllocationGranularity, wstr(256) ComputerName, "
     "wstr(134) DomainName, ptr HyperThreadingFlag, "
     "ptr HighestUserAddress, u16 ProcessorArchitecture, "
     "u16 ProcessorLevel, u16.hex ProcessorRevision, bool8 NxEnabled, "
     "bool8 PaeEnabled, u32 MemorySpeed"},
    {0x0B0B, 0, "SystemConfig", "PhyDisk",
     "u32 DiskNumber, u32 BytesPerSector, u32 SectorsPerTrack, "
     "u32 TracksPerCylinder, u64 Cylinders, u32 SCSIPort, u32 SCSIPath, "
     "u32 SCSITarget, u32 SCSILun, wstr(256) Manufacturer, "
     "u32 PartitionCount, bool8 WriteCacheEnabled, u8 -Pad, "
     "wstr(3) BootDriveLetter, wstr(2) -Spare"},
    {0x0B0C, 0, "SystemConfig", "LogDisk",
     "u64 StartOffset, u64 PartitionSize, u32 DiskNumber, u32 Size, "
     "u32 DriveType, wstr(4) DriveLetterString, u32 -Pad1, "
     "u32 PartitionNumber, u32 SectorsPerCluster, u32 BytesPerSector, "
     "u32 -Pad2, u64 NumberOfFreeClusters, u64 TotalNumberOfClusters, "
     "wstr(16) FileSystem, u32 VolumeExt, u32 -Pad3"},
    {0x0B0D, 2, "SystemConfig", "NIC",
     "u64.hex PhysicalAddr, u32 PhysicalAddrLen, u32 Ipv4Index, "
     "u32 Ipv6Index, wstr NICDescription, wstr IpAddresses, "
     "wstr DnsServerAddresses"},
    {0x0B0E, 0, "SystemConfig", "Video",
     "u32 MemorySize, u32 XResolution, u32 YResolution, u32 BitsPerPixel, "
     "u32 VRefresh, wstr(256) ChipType, wstr(256) DACType, "
     "wstr(256) AdapterString, wstr(256) BiosString, wstr(256) DeviceID, "
     "u32.hex StateFlags"},
    {0x0B0F, 0, "SystemConfig", "Services",
     "wstr(34) ServiceName, wstr(256) DisplayName, wstr(34) ProcessName, "
     "u32.pid ProcessID"},
    {0x0B0F, 2, "SystemConfig", "Services",
     "u32.pid ProcessID, u32 ServiceState, u32.hex SubProcessTag, "
     "wstr ServiceName, wstr DisplayName, wstr ProcessName, "
     "wstr LoadOrderGroup, wstr SvchostGroup"},
    {0x0B10, 0, "SystemConfig", "Power",
     "u8 S1, u8 S2, u8 S3, u8 S4, u8 S5, u8 AoAc, u8 -Pad2, u8 -Pad3"},
    {0x0B11, 0, "SystemConfig", "Network",
     "u32 TcbTablePartitions, u32 MaxHashTableSize, u32 MaxUserPort, "
     "u32 TcpTimedWaitDelay"},
    {0x0B15, 0, "SystemConfig", "IRQ",
     "u64.hex IRQAffinity, u32 IRQNum, u32 DeviceDescriptionLen, "
     "wstr DeviceDescription"},
    {0x0B15, 3, "SystemConfig", "IRQ",
     "u64.hex IRQAffinity, u16 IRQGroup, u16 -Reserved, u32 IRQNum, "
     "u32 DeviceDescriptionLen, wstr DeviceDescription"},
    {0x0B16, 0, "SystemConfig", "PnP",
     "u32 IDLength, u32 DescriptionLength, u32 FriendlyNameLength, "
     "wstr DeviceID, wstr DeviceDescription, wstr FriendlyName"},
    {0x0B16, 4, "SystemConfig", "PnP",
     "guid ClassGuid, u32 UpperFiltersCount, u32 "
     "LowerFiltersCount, " PNP_STRINGS},
    {0x0B16, 5, "SystemConfig", "PnP",
     "guid ClassGuid, u32 UpperFiltersCount, u32 LowerFiltersCount, "
     "u32.hex DevStatus, u32 DevProblem, " PNP_STRINGS},
    {0x0B17, 0, "SystemConfig", "IDEChannel",
     "u32 TargetID, u32.hex DeviceType, u32.hex DeviceTimingMode, "
     "u32 LocationInformationLen, wstr LocationInformation"},
    {0x0B19, 0, "SystemConfig", "Platform",
     "wstr SystemManufacturer, wstr SystemProductName, wstr BiosDate, "
     "wstr BiosVersion"},
    {0x0B12, 0, "SystemConfig", "OpticalMedia", NULL},
    {0x0B18, 0, "SystemConfig", "NumaNode", NULL},
    {0x0B1A, 0, "SystemConfig", "ProcessorGroup", NULL},
    {0x0B1B, 0, "SystemConfig", "ProcessorNumber", NULL},
    {0x0B1C, 0, "SystemConfig", "DPI", "u32 MachineDPI, u32 UserDPI"},
    {0x0B1D, 0, "SystemConfig", "CodeIntegrity", NULL},
    {0x0B1E, 0, "SystemConfig", "MachineId", "guid MachineId"},
    {0x0B1F, 0, "SystemConfig", "Defrag", NULL},
    {0x0B20, 0, "SystemConfig", "MobilePlatform", NULL},
    {0x0B21, 0, "SystemConfig", "DeviceFamily", NULL},
    {0x0B22, 0, "SystemConfig", "FlightIds", NULL},
    {0x0B23, 0, "SystemConfig", "Processor", NULL},
    {0x0B24, 0, "SystemConfig", "Virtualization", NULL},
    {0x0B25, 0, "SystemConfig", "Boot", NULL},

    {0x0F22, 0, "PerfInfo", "Mark", "astr Value"},
    {0x0F2E, 0, "PerfInfo", "Sample",
     "ptr.code InstructionPointer, u32.tid ThreadID, u16 Count, "
     "u8.hex Flags, u8 Rank"},
    {0x0F2F, 0, "PerfInfo", "PMCSample",
     "ptr.code InstructionPointer, u32.tid ThreadID, u16 ProfileSource, "
     "u16 -Reserved"},
    {0x0F30, 0, "PerfInfo", "PMCConfig", "u32 Count, wstr Names[Count]"},
    {0x0F31, 0, "PerfInfo", "PMCCorruption",
     "u32 Processor, u32 Count, "
     "{u32 Source, u64.ticks LastGood} Counters[Count]"},
    {0x0F32, 0, "PerfInfo", "ISR",
     INTERRUPT_COMMON ", u8 ReturnValue, u16 Vector, u8 -Reserved, "
                      "u32 Message"},
    {0x0F33, 0, "PerfInfo", "SysClEnter", "ptr.code SysCallAddress"},
    {0x0F34, 0, "PerfInfo", "SysClExit", "u32.ntstatus SysCallNtStatus"},
    {0x0F3A, 0, "PerfInfo", "DebuggerEnabled", ""},
    {0x0F42, 0, "PerfInfo", "ThreadedDPC", INTERRUPT_COMMON},
    {0x0F43, 0, "PerfInfo", "ISR",
     INTERRUPT_COMMON ", u8 ReturnValue, u16 Vector, u8 -Reserved"},
    {0x0F44, 0, "PerfInfo", "DPC", INTERRUPT_COMMON},
    {0x0F45, 0, "PerfInfo", "TimerDPC", INTERRUPT_COMMON},
    {0x0F48, 0, "PerfInfo", "SetInterval", SAMPLE_INTERVAL},
    {0x0F49, 0, "PerfInfo", "CollectionStart", SAMPLE_INTERVAL},
    {0x0F4A, 0, "PerfInfo", "CollectionEnd", SAMPLE_INTERVAL},

    {0x1020, 0, "HeapTrace", "Create",
     "ptr HeapHandle, u32.hex HeapFlags, ptr.dec ReservedSize, "
     "ptr.dec CommittedSize, ptr.dec AllocatedSize"},
    {0x1021, 0, "HeapTrace", "Alloc",
     "ptr HeapHandle, ptr.dec AllocSize, ptr AllocAddress, u32 SourceID"},
    {0x1022, 0, "HeapTrace", "ReAlloc",
     "ptr HeapHandle, ptr NewAllocAddress, ptr OldAllocAddress, "
     "ptr.dec NewAllocSize, ptr.dec OldAllocSize, u32 SourceID"},
    {0x1023, 0, "HeapTrace", "Destroy", HEAP},
    {0x1024, 0, "HeapTrace", "Free",
     "ptr HeapHandle, ptr FreeAddress, u32 SourceID"},
    {0x1025, 0, "HeapTrace", "Expand",
     "ptr HeapHandle, ptr.dec CommittedSize, ptr CommitAddress, " HEAP_SPACE},
    {0x1026, 0, "HeapTrace", "Snapshot", NULL},
    {0x1027, 0, "HeapTrace", "CreateSnapshot", NULL},
    {0x1028, 0, "HeapTrace", "DestroySnapshot", NULL},
    {0x1029, 0, "HeapTrace", "ExpandSnapshot", NULL},
    {0x102A, 0, "HeapTrace", "Contract",
     "ptr HeapHandle, ptr.dec DeCommittedSize, "
     "ptr DeCommitAddress, " HEAP_SPACE},
    {0x102B, 0, "HeapTrace", "Lock", HEAP},
    {0x102C, 0, "HeapTrace", "Unlock", HEAP},
    {0x102D, 0, "HeapTrace", "Validate", HEAP},
    {0x102E, 0, "HeapTrace", "Walk", HEAP},
    {0x102F, 0, "HeapTrace", "SubSegmentAlloc", NULL},
    {0x1030, 0, "HeapTrace", "SubSegmentFree", NULL},
    {0x1031, 0, "HeapTrace", "SubSegmentAllocCache", NULL},
    {0x1032, 0, "HeapTrace", "SubSegmentFreeCache", NULL},
    {0x1033, 0, "HeapTrace", "Commit", NULL},
    {0x1034, 0, "HeapTrace", "Decommit", NULL},
    {0x1035, 0, "HeapTrace", "SubSegmentInit", NULL},
    {0x1036, 0, "HeapTrace", "AffinityEnable", NULL},
    {0x1038, 0, "HeapTrace", "SubSegmentActivated", NULL},
    {0x1039, 0, "HeapTrace", "AffinityAssign", NULL},
    {0x103A, 0, "HeapTrace", "ReuseThresholdActivated", NULL},

    {0x1120, 0, "Object", "CreateHandle",
     "ptr Object, u32.hex Handle, u16 ObjectType"},
    {0x1121, 0, "Object", "CloseHandle",
     "ptr Object, u32.hex Handle, u16 ObjectType"},
    {0x1122, 0, "Object", "DuplicateHandle",
     "ptr Object, u32.hex SourceHandle, u32.hex TargetHandle, "
     "u32.pid TargetProcessID, u16 ObjectType"},
    {0x1124, 0, "Object", "TypeDCStart",
     "u16 ObjectType, u16 -Reserved, wstr ObjectTypeName"},
    {0x1125, 0, "Object", "TypeDCEnd",
     "u16 ObjectType, u16 -Reserved, wstr ObjectTypeName"},
    {0x1126, 0, "Object", "HandleDCStart",
     "ptr Object, u32.pid ProcessID, u32.hex Handle, u16 ObjectType, "
     "wstr ObjectName"},
    {0x1127, 0, "Object", "HandleDCEnd",
     "ptr Object, u32.pid ProcessID, u32.hex Handle, u16 ObjectType, "
     "wstr ObjectName"},

    IMAGE(0x1402, "Unload"),
    IMAGE(0x1403, "DCStart"),
    IMAGE(0x1404, "DCStop"),
    {0x1421, 0, "Image", "KernelBase", "ptr ImageBase"},
    {0x1422, 0, "Image", "HypercallPage", "ptr HypercallPage"},

    {0x1820, 0, "StackWalk", "Stack", STACK_OF "ptr.code Stack[]"},
    {0x1822, 0, "StackWalk", "KeyCreate", "ptr StackKey, ptr.code Stack[]"},
    {0x1823, 0, "StackWalk", "KeyDelete", "ptr StackKey, ptr.code Stack[]"},
    {0x1824, 0, "StackWalk", "KeyRundown", "ptr StackKey, ptr.code Stack[]"},
    {0x1825, 0, "StackWalk", "StackKeyKernel", STACK_OF "ptr StackKey"},
    {0x1826, 0, "StackWalk", "StackKeyUser", STACK_OF "ptr StackKey"},

    {0x1A21, 0, "ALPC", "SendMessage", "u32 MessageID"},
    {0x1A22, 0, "ALPC", "ReceiveMessage", "u32 MessageID"},
    {0x1A23, 0, "ALPC", "WaitForReply", "u32 MessageID"},
    {0x1A24, 0, "ALPC", "WaitForNewMessage", "u32 IsServerPort, astr PortName"},
    {0x1A25, 0, "ALPC", "Unwait", "u32.ntstatus Status"},
    {0x1B20, 0, "SplitIo", "VolMgr", "ptr ParentIrp, ptr ChildIrp"},
};

const struct builtin_provider kernel_classes_builtin = {
    .guid = "9e814aad-3204-11d2-9a82-006008a86939",
    .name = "Windows Kernel",
    .classic = true,
    .events = kernel_events,
    .count = sizeof(kernel_events) / sizeof(kernel_events[0]),
};
