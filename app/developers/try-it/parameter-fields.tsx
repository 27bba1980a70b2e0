import { useId } from 'react';
import { Select } from '../../_ui/select.tsx';
import { Text } from '../code.tsx';
import type { TryParameter } from './target.ts';

type ParameterFieldsProps = {
  fields: readonly TryParameter[];
  values: Readonly<Record<string, string>>;
  onChange: (name: string, value: string) => void;
};

/** The values of the path and the query. */
export function ParameterFields({ fields, values, onChange }: ParameterFieldsProps) {
  if (fields.length === 0) return null;
  return (
    <fieldset className="grid items-start gap-4 sm:grid-cols-2">
      <legend className="mb-2 text-lg font-bold">Parameters</legend>
      {fields.map(({ name, required, options, description }) => {
        const label = required ? name : `${name} (optional)`;
        const value = values[name] ?? '';
        return options ? (
          <Select key={name} label={label} value={value} onChange={(event) => onChange(name, event.target.value)}>
            <option value="">Not sent</option>
            {options.map((option) => (
              <option key={option}>{option}</option>
            ))}
          </Select>
        ) : (
          <TextField
            key={name}
            label={label}
            hint={description}
            value={value}
            onType={(text) => onChange(name, text)}
          />
        );
      })}
    </fieldset>
  );
}

type TextFieldProps = { label: string; hint: string | null; value: string; onType: (text: string) => void };

function TextField({ label, hint, value, onType }: TextFieldProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="block text-sm font-semibold">
        {label}
      </label>
      <input
        id={id}
        value={value}
        onChange={(event) => onType(event.target.value)}
        aria-describedby={hint ? `${id}-hint` : undefined}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        className="mt-1 min-h-11 w-full min-w-0 rounded-md border-2 border-edge bg-surface px-2 font-mono text-sm text-ink hover:border-ink"
      />
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-muted">
          <Text>{hint}</Text>
        </p>
      )}
    </div>
  );
}
