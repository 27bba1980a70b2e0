import type english from '../en/broken.ts';

export default {
  title: 'Não foi possível mostrar esta página',
  body: 'Algo deu errado do nosso lado. Nada foi alterado por isso.',
  reference: 'Informe esta referência quando perguntar a respeito:',
  retry: 'Tentar de novo',
} satisfies typeof english;
