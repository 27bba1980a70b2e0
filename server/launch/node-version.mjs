// Imported first by every command, so that an old Node reports this error instead of a syntax error.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const supported = major === 20 ? minor >= 19 : major === 22 ? minor >= 12 : major > 22;
if (!supported) {
  console.error(`Perpetua needs Node.js 20.19 or newer, or 22.12 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}
