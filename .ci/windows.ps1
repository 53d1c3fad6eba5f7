# Builds and tries the Windows program and its installer. Needs Python 3.11 or newer, and Inno Setup 6 (iscc).
# Not run by .ci/run: it needs a Windows machine.
$ErrorActionPreference = 'Stop'
Set-Location (Join-Path $PSScriptRoot '..')

python -m venv build\package-venv
$python = 'build\package-venv\Scripts\python.exe'
& $python -m pip install --quiet --require-hashes -r requirements-package.lock
if ($LASTEXITCODE) { exit $LASTEXITCODE }
& $python packaging\build.py --check
if ($LASTEXITCODE) { exit $LASTEXITCODE }

$version = (Get-Content resources\VERSION -Raw).Trim()
iscc "/DVersion=$version" packaging\windows\passform.iss
exit $LASTEXITCODE
