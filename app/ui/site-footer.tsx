import { en } from '../messages/en.ts';
import { Mark } from './mark.tsx';

const { footer, name } = en.common;
const link = 'inline-flex min-h-11 items-center underline decoration-1 underline-offset-[0.2em] hover:decoration-2';

/** The foot of every page: where machines look, and what is public. */
export function SiteFooter({ version }: { version: string }) {
  return (
    <footer className="bg-bedrock text-on-bedrock [--focus:var(--on-bedrock)]">
      <div className="page grid gap-10 py-12 sm:grid-cols-2 lg:grid-cols-[1.4fr_1fr_1fr]">
        <div>
          <p className="flex items-center gap-2.5 text-xl font-bold">
            <Mark className="size-8" />
            {name}
          </p>
          <p className="mt-3 max-w-sm text-sm text-on-bedrock-muted">{footer.nothingElse}</p>
          <p className="mt-3 text-sm text-on-bedrock-muted">{footer.version(version)}</p>
        </div>
        <nav aria-label={footer.about}>
          <h2 className="text-base">{footer.about}</h2>
          <a href="/#public" className={link}>
            {footer.public}
          </a>
        </nav>
        <nav aria-label={footer.machines}>
          <h2 className="text-base">{footer.machines}</h2>
          <ul>
            {Object.entries(footer.links).map(([path, label]) => (
              <li key={path}>
                <a href={path} className={link}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </footer>
  );
}
