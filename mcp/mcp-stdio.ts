#!/usr/bin/env node
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { PerpetuaError } from '../client/errors.ts';
import { createHttp, jsonOf } from '../client/http.ts';
import { VERSION } from '../protocol/entities/recorded.ts';
import { createMcpServer } from './mcp-server.ts';
import { ApiError, type ReadApi } from './tool.ts';

// The MCP server over stdio. Standard output carries the protocol, so everything else goes to standard error.

const TIMEOUT_MS = 15_000;

/** Reads over HTTP. */
function apiAt(url: string): ReadApi {
  const http = createHttp({ url, timeout: TIMEOUT_MS, retries: 0 });
  return async (path) => {
    try {
      return jsonOf(await http.send({ method: 'GET', path }));
    } catch (error) {
      if (!(error instanceof PerpetuaError)) throw error;
      const { code, message } = error;
      throw new ApiError(code === 'NO_RESPONSE' || code === 'UNEXPECTED_RESPONSE' ? 'UNREACHABLE' : code, message);
    }
  };
}

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
