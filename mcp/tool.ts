import type { z } from 'zod';

/** An error of the API. Protocol §5. */
export class ApiError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Reads a public address of the API: its JSON. @throws {ApiError} */
export type ReadApi = (path: string) => Promise<unknown>;

/** What the tools use of the service. */
export interface Service {
  readonly read: ReadApi;
  /** The address of the pages. */
  readonly pagesUrl: string;
}

/** A tool of the MCP server. Its result is a JSON object. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  /** @throws {ApiError} */
  run(service: Service, input: unknown): Promise<object> | object;
}

/** Checks that the function takes what the input schema yields. */
export const defineTool = <Input extends z.ZodObject>(
  tool: Omit<Tool, 'input' | 'run'> & {
    readonly input: Input;
    run(service: Service, input: z.output<Input>): Promise<object> | object;
  },
): Tool => ({ ...tool, run: (service, input) => tool.run(service, input as z.output<Input>) });
