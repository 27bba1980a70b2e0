import { Fragment } from 'react';

/** The name of an identity, which breaks after its hyphens and dots only. */
export function Name({ children }: { children: string }) {
  const parts = children.split(/(?<=[-.])/);
  return (
    <span translate="no" className="wrap-anywhere">
      {parts.map((part, index) => (
        <Fragment key={parts.slice(0, index + 1).join('')}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
