#!/usr/bin/env node
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { VERSION } from '../protocol/entities/recorded.ts';
import { apiAt } from './api.ts';
import { createMcpServer } from './mcp-server.ts';

// The MCP server over stdio. Standard output carries the protocol, so everything else goes to standard error.

const environment = z.object({
  PERPETUA_URL: z
    .url({ protocol: /^https?$/, error: 'must be the http or https address of a Perpetua service' })
    .default('http://localhost:3000'),
  PERPETUA_MCP_REQUESTS: z.enum(['true', 'false'], { error: 'must be true or false' }).default('false'),
});

const settings = environment.safeParse(process.env);
if (settings.success) {
  const { PERPETUA_URL: url, PERPETUA_MCP_REQUESTS: requests } = settings.data;
  serveStdio(
    () => createMcpServer({ read: apiAt(url), pagesUrl: url, version: VERSION, requests: requests === 'true' }),
    { onerror: (error) => console.error(error.message) },
  );
} else {
  const [issue] = settings.error.issues;
  console.error(`${String(issue?.path[0])} ${issue?.message}.`);
  process.exitCode = 2;
}
