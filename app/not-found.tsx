import type { Metadata } from 'next';
import Link from 'next/link';
import { en } from './messages/en.ts';
import { Button } from './ui/button.tsx';

const text = en.common.notFound;

export const metadata: Metadata = { title: text.title };

export default function NotFound() {
  return (
    <div className="page py-16 sm:py-24">
      <h1 className="text-3xl">{text.title}</h1>
      <p className="mt-4 mb-8 max-w-[38rem] text-lg text-muted">{text.body}</p>
      <Button asChild>
        <Link href="/" prefetch={false}>
          {text.back}
        </Link>
      </Button>
    </div>
  );
}
