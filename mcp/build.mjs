import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

// Bundles the MCP server with its dependencies into one file, so that the package installs nothing else.
await build({
  cwd: fileURLToPath(new URL('.', import.meta.url)),
  input: 'mcp-stdio.ts',
  platform: 'node',
  tsconfig: false,
  logLevel: 'warn',
  output: { file: 'dist/perpetua-mcp.js', format: 'esm', codeSplitting: false },
});
