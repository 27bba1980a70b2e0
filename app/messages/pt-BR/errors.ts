export default {
  OTHER: 'O servidor recusou ({code}). {message}',
  RATE_LIMITED: 'Chegaram pedidos demais da sua rede no último minuto. Espere um minuto e tente de novo.',
  UNAVAILABLE: 'O servidor não consegue fazer isto agora. Tente de novo em instantes.',
  INTERNAL: 'Algo deu errado do nosso lado. Nada foi alterado por engano. Tente de novo em instantes.',
  UNREACHABLE: 'Não foi possível falar com o servidor. Verifique sua conexão; não se sabe se o pedido chegou.',
};
