'use client';

import { clsx } from 'clsx';
import { useEffect, useState } from 'react';
import { LoadingWords } from './skeletons.tsx';

/** Light modules around the code (ISO/IEC 18004 §6.3.8). */
const QUIET = 4;

type Drawing = { readonly size: number; readonly path: string };

type QrCodeProps = {
  text: string;
  label: string;
  failed: string;
  /** For a text of several hundred characters, whose modules are small. */
  large?: boolean;
};

/** A text as a QR code, black on white in every theme. */
export function QrCode({ text, label, failed, large = false }: QrCodeProps) {
  const [drawing, setDrawing] = useState<Drawing | 'failed' | null>(null);

  useEffect(() => {
    let cancelled = false;
    import('qr')
      .then(({ encodeQR }) => drawn(encodeQR(text, 'raw', { ecc: 'medium', border: QUIET })))
      .then(
        (made) => cancelled || setDrawing(made),
        () => cancelled || setDrawing('failed'),
      );
    return () => {
      cancelled = true;
    };
  }, [text]);

  if (drawing === 'failed') return <p role="alert">{failed}</p>;
  if (!drawing)
    return (
      <div className="grid size-56 place-items-center rounded-sm border border-line">
        <LoadingWords />
      </div>
    );
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${drawing.size} ${drawing.size}`}
      shapeRendering="crispEdges"
      className={clsx('rounded-sm forced-color-adjust-none', large ? 'w-full max-w-96 print:w-[11cm]' : 'size-56')}
    >
      <rect width={drawing.size} height={drawing.size} fill="#fff" />
      <path d={drawing.path} fill="#000" />
    </svg>
  );
}

function drawn(modules: readonly (readonly boolean[])[]): Drawing {
  const path = modules.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return { size: modules.length, path };
}
