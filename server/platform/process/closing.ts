/** What closes the parts of something. */
export interface Closing {
  /** Registers what closes a part, right after it was opened. */
  add(part: string, close: () => unknown): void;
  /** Closes the parts one after the other, the last opened one first, each once. A failing one does not keep the others open. */
  run(): Promise<void>;
}

export function createClosing(report: (part: string, error: unknown) => void): Closing {
  const parts: { readonly part: string; readonly close: () => unknown }[] = [];
  return {
    add: (part, close) => void parts.push({ part, close }),
    async run() {
      for (let last = parts.pop(); last; last = parts.pop()) {
        try {
          await last.close();
        } catch (error) {
          report(last.part, error);
        }
      }
    },
  };
}
