import { type ParseArgsConfig, parseArgs } from 'node:util';
import { parseUrl } from '../../../protocol/parse-url.ts';

/** The reason why a command cannot run, in one sentence. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Parses the options of a command line. @throws {CommandError} for an unknown option. */
export function readOptions<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new CommandError(`${(error as Error).message.split('. ')[0]}. --help lists the options.`);
  }
}

/** The arguments and the options of a command line. @throws {CommandError} for an unknown option. */
export function readArguments<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
) {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
    return { options: values, positionals };
  } catch (error) {
    throw new CommandError(`${(error as Error).message.split('. ')[0]}. --help lists the options.`);
  }
}

/** The only argument of a command without options. @throws {CommandError} if it is missing or not the only one. */
export function readArgument(args: readonly string[], name: string): string {
  const [argument, ...more] = args;
  if (argument && more.length === 0 && !argument.startsWith('-')) return argument;
  throw new CommandError(`Give ${name} and no other argument. See --help.`);
}

export function httpUrl(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (/^https?:$/.test(parseUrl(text)?.protocol ?? '')) return text;
  throw new CommandError(`--${name} must be a URL that begins with http:// or https://.`);
}

/** URLs of a repeated option, each of which may be several separated by commas. */
export function httpUrls(name: string, texts: readonly string[] | undefined): string[] | undefined {
  const urls = texts?.flatMap((text) => text.split(',')).map((text) => httpUrl(name, text.trim()) ?? '');
  return urls && [...new Set(urls)];
}

export function hex32(name: string, text: string | undefined): string | undefined {
  if (text === undefined || /^[0-9a-fA-F]{64}$/.test(text)) return text?.toLowerCase();
  throw new CommandError(`--${name} must be 64 hex characters.`);
}

export function walletAddress(name: string, text: string | undefined): string | undefined {
  if (text === undefined || /^[\w-]{43}$/.test(text)) return text;
  throw new CommandError(`--${name} must be the 43 characters of a wallet's address.`);
}

export function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new CommandError(`--${name} must be a whole number.`);
}

/** Removes the undefined options. */
export const given = <Shape extends Record<string, unknown>>(
  options: Shape,
): { [Name in keyof Shape]?: Exclude<Shape[Name], undefined> } =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
