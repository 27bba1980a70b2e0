import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

interface LabCommand<Name extends string, Report> {
  readonly title: string;
  readonly usage: string;
  /** Options that are whole numbers, with the smallest one and the default; besides --seed. */
  readonly numbers: Readonly<Record<Name, readonly [min: number, preset: number]>>;
  run(options: Readonly<Record<Name | 'seed', number>>, more: RunOptions): Promise<Report>;
  /** The lines that end a run. */
  lines(report: Report): readonly string[];
  problems(report: Report): number;
}

interface RunOptions {
  readonly only: string;
  readonly isStopping: () => boolean;
}

/** Reads the options, runs until the end or a signal, prints the report and writes it as JSON. Exit status: 0, 1 problems, 2 could not run. */
export async function runLabCommand<Name extends string, Report>(command: LabCommand<Name, Report>): Promise<void> {
  try {
    const { numbers, values } = readOptions(command);
    if (values.help) {
      console.log(command.usage);
      return;
    }
    console.log(`${command.title} with seed ${numbers.seed}`);
    let isStopping = false;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        isStopping = true;
        console.log('Stopping …');
      });
    }
    const report = await command.run(numbers, { only: values.only, isStopping: () => isStopping });
    for (const line of ['', ...command.lines(report)]) console.log(line);
    if (values.report) writeFileSync(values.report, `${JSON.stringify(report, null, 2)}\n`);
    process.exitCode = command.problems(report) === 0 ? 0 : 1;
  } catch (error) {
    console.error(error instanceof OptionError ? error.message : ((error as Error).stack ?? error));
    process.exitCode = 2;
  }
}

class OptionError extends Error {}

function readOptions<Name extends string>({ numbers }: Pick<LabCommand<Name, unknown>, 'numbers'>) {
  const bounds = { seed: [0, randomInt(1_000_000)], ...numbers } as Record<Name | 'seed', readonly [number, number]>;
  const names = Object.keys(bounds) as (Name | 'seed')[];
  const { values } = parse(names);
  const read = (name: Name | 'seed'): number => {
    const [min, preset] = bounds[name];
    const value = Number(values[name] ?? preset);
    if (Number.isSafeInteger(value) && value >= min) return value;
    throw new OptionError(`--${name} must be a whole number of at least ${min}.`);
  };
  return {
    values,
    numbers: Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name | 'seed', number>,
  };
}

function parse(names: readonly string[]) {
  try {
    const options = {
      only: { type: 'string', default: '' },
      report: { type: 'string' },
      help: { type: 'boolean', default: false },
    } as const;
    const numbers = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
    const { values } = parseArgs({ options: { ...numbers, ...options } });
    return { values: values as Partial<Record<string, string>> & { only: string; report?: string; help: boolean } };
  } catch (error) {
    throw new OptionError((error as Error).message);
  }
}
