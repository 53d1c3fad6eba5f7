# Builds and tries the Windows program and its installer. Needs Python 3.11 or newer, and Inno Setup 6.3 or newer.
# Not run by .ci/run: it needs a Windows machine. Another Python: set PYTHON to its path.
$ErrorActionPreference = 'Stop'
Set-Location (Join-Path $PSScriptRoot '..')
$env:PYTHONUTF8 = '1'  # German output on a console of any code page

function Invoke-Step {
    param([string]$Program, [string[]]$Words)
    & $Program @Words
    if ($LASTEXITCODE -ne 0) { throw "$Program ended with $LASTEXITCODE" }
}

$base = if ($env:PYTHON) { $env:PYTHON } else { 'python' }
$python = 'build\package-venv\Scripts\python.exe'
if (Test-Path 'build\package-venv') { Remove-Item -Recurse -Force 'build\package-venv' }
Invoke-Step $base @('-m', 'venv', 'build\package-venv')
Invoke-Step $python @('-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--require-hashes', '-r', 'requirements-package.lock')
Invoke-Step $python @('packaging\build.py', '--check')

# The compiler's own installer does not put it on the PATH.
$iscc = (Get-Command iscc -ErrorAction SilentlyContinue).Source
if (-not $iscc) { $iscc = Join-Path ${env:ProgramFiles(x86)} 'Inno Setup 6\ISCC.exe' }
if (-not (Test-Path $iscc)) { throw 'Inno Setup 6 was not found.' }
$version = (Get-Content 'resources\VERSION' -Raw).Trim()
Invoke-Step $iscc @("/DVersion=$version", 'packaging\windows\passform.iss')
