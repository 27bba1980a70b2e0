import type english from '../en/broken.ts';

export default {
  title: 'No se pudo mostrar esta página',
  body: 'Algo salió mal de nuestro lado. Nada cambió por ello.',
  reference: 'Indique esta referencia cuando pregunte por ello:',
  retry: 'Intentar de nuevo',
} satisfies typeof english;
