import { LocalLink } from '../_ui/local-link.tsx';
import { textLink } from '../_ui/text-link.ts';

type UnknownProps = { title: string; list: string; href: string };

/** A 404 in the design of the reference. Next's own has no title before its scripts run. */
export function Unknown({ title, list, href }: UnknownProps) {
  return (
    <>
      <h1>{title}</h1>
      <p className="mt-4">
        <LocalLink href={href} className={textLink}>
          {list}
        </LocalLink>
      </p>
    </>
  );
}
