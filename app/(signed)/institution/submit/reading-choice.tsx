'use client';

import { useId } from 'react';

type ReadingChoiceProps<Reading> = {
  question: string;
  /** The readings, each with examples of what the cells of the file are in it. */
  choices: readonly { readonly reading: Reading; readonly name: string; readonly examples: readonly string[] }[];
  /** Null before it is answered. */
  value: Reading | null;
  onChange: (reading: Reading) => void;
};

/** Asks once per file what its cells mean, and shows some of them in each reading. */
export function ReadingChoice<Reading extends string>({
  question,
  choices,
  value,
  onChange,
}: ReadingChoiceProps<Reading>) {
  const id = useId();
  return (
    <fieldset className="max-w-prose rounded-lg border-2 border-caution-edge bg-caution-soft px-4 py-3">
      <legend className="float-left w-full font-bold">{question}</legend>
      <div className="clear-left space-y-1 pt-1">
        {choices.map(({ reading, name, examples }) => (
          <div key={reading} className="flex items-start gap-3">
            <input
              id={`${id}${reading}`}
              type="radio"
              name={id}
              checked={value === reading}
              onChange={() => onChange(reading)}
              className="mt-2.5 size-6 shrink-0 cursor-pointer accent-accent"
            />
            <label htmlFor={`${id}${reading}`} className="min-h-11 cursor-pointer py-2">
              {name}{' '}
              {examples.map((example) => (
                <span key={example} translate="no" className="mr-3 inline-block tabular-nums text-muted">
                  {example}
                </span>
              ))}
            </label>
          </div>
        ))}
      </div>
    </fieldset>
  );
}
