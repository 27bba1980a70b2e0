import { type ExecFileOptions, execFile } from 'node:child_process';

/** Runs a program and returns what it printed on both streams. @throws {Error} with that, if it fails */
export function runProgram(
  command: string,
  args: readonly string[],
  { input, ...options }: ExecFileOptions & { readonly input?: string } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(command, [...args], { maxBuffer: 2 ** 28, ...options }, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`;
      if (error) reject(new Error(`${command} failed (${error.code ?? error.signal}):\n${args.join(' ')}\n${output}`));
      else resolve(output);
    });
    child.stdin?.end(input);
  });
}
