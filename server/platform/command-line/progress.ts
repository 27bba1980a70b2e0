import { Presets, SingleBar } from 'cli-progress';

/** The progress of a command: a bar on a terminal, lines of text elsewhere. */
export interface Progress {
  at(done: number, total: number): void;
  /** Removes the bar. Call it before other output. */
  end(): void;
}

const LINE_EVERY_MS = 5_000;

/** @param noun the counted things, in the plural */
export function createProgress(
  what: string,
  { noun = 'entries', stream = process.stderr, now = () => performance.now() } = {},
): Progress {
  return stream.isTTY ? bar(what, noun, stream) : lines(what, noun, stream, now);
}

function bar(what: string, noun: string, stream: NodeJS.WriteStream): Progress {
  const format = `${what} [{bar}] {percentage}% | {value} of {total} ${noun} | {rate}/s | {eta_formatted} left`;
  const single = new SingleBar({ format, stream, hideCursor: true, clearOnComplete: true, fps: 5 }, Presets.rect);
  let began = 0;
  return {
    at(done, total) {
      if (began === 0) {
        began = performance.now();
        single.start(total, 0, { rate: 0 });
      }
      const seconds = (performance.now() - began) / 1000;
      single.update(Math.min(done, total), { rate: seconds > 0 ? Math.round(done / seconds) : 0 });
    },
    end() {
      if (began > 0) single.stop();
    },
  };
}

function lines(what: string, noun: string, stream: NodeJS.WriteStream, now: () => number): Progress {
  let printedAt = now();
  return {
    at(done, total) {
      if (now() - printedAt < LINE_EVERY_MS) return;
      printedAt = now();
      stream.write(`${what}: ${done} of ${total} ${noun}\n`);
    },
    end: () => undefined,
  };
}
