; Inno Setup 6.3 or newer: the installer for Windows. Built by .ci/windows.ps1 from dist\passform.
; Installs for one user without administrator rights, or for all when they ask for it. Documents are never touched.
#ifndef Version
  #error Give the version: iscc /DVersion=1.2.3 passform.iss
#endif

[Setup]
AppId={{6F1B6C52-54A5-4E0C-9C53-1E9D2C0B7A11}
AppName=Passform
AppVersion={#Version}
AppPublisher=Passform
VersionInfoVersion={#Version}
UninstallDisplayName=Passform
; Qt 6 supports nothing older than version 1809.
MinVersion=10.0.17763
DefaultDirName={autopf}\Passform
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
LicenseFile=..\..\LICENSE
OutputDir=..\..\dist
OutputBaseFilename=passform-{#Version}-setup
SetupIconFile=..\..\build\package\passform.ico
UninstallDisplayIcon={app}\passform.exe
ChangesAssociations=yes
CloseApplications=yes
WizardStyle=modern
Compression=lzma2/max
SolidCompression=yes

[Languages]
Name: "de"; MessagesFile: "compiler:Languages\German.isl"
Name: "en"; MessagesFile: "compiler:Default.isl"

[Tasks]
Name: "desktopicon"; Description: "{cm:CreateDesktopIcon}"; Flags: unchecked

[InstallDelete]
; An update replaces the program's own files as a whole; nothing of an older version stays among them.
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "..\..\dist\passform\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[Icons]
Name: "{autoprograms}\Passform"; Filename: "{app}\passform.exe"
Name: "{autodesktop}\Passform"; Filename: "{app}\passform.exe"; Tasks: desktopicon

[Registry]
; Windows knows only the last part of a name, so .passform.yaml cannot be tied to the program without taking every
; .yaml file. Passform is offered under "Open with" instead, and stays the choice once it was chosen.
Root: HKA; Subkey: "Software\Classes\Applications\passform.exe"; ValueType: string; ValueName: "FriendlyAppName"; ValueData: "Passform"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Applications\passform.exe\shell\open\command"; ValueType: string; ValueData: """{app}\passform.exe"" ""%1"""
Root: HKA; Subkey: "Software\Classes\Applications\passform.exe\SupportedTypes"; ValueType: string; ValueName: ".yaml"; ValueData: ""
Root: HKA; Subkey: "Software\Classes\Applications\passform.exe\SupportedTypes"; ValueType: string; ValueName: ".pdf"; ValueData: ""
Root: HKA; Subkey: "Software\Classes\.yaml\OpenWithList\passform.exe"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\.pdf\OpenWithList\passform.exe"; Flags: uninsdeletekey

[Run]
Filename: "{app}\passform.exe"; Description: "{cm:LaunchProgram,Passform}"; Flags: nowait postinstall skipifsilent
