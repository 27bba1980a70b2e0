import type english from '../en/errors.ts';

export default {
  OTHER: 'O servidor recusou ({code}). {message}',
  UNREACHABLE:
    'Não foi possível falar com o servidor. Verifique sua conexão e tente de novo. Se você enviou algo, pode ter chegado mesmo assim: confira antes de enviar outra vez.',
  RATE_LIMITED: 'Chegaram pedidos demais da sua rede no último minuto. Espere um minuto e tente de novo.',
  UNAVAILABLE: 'O servidor não consegue fazer isto agora. Tente de novo em instantes.',
  INTERNAL: 'Algo deu errado do nosso lado. Nada foi alterado por engano. Tente de novo em instantes.',
  INTEGRITY_FAILED:
    'O que está guardado foi alterado, ou falta uma parte; por isso nada é mostrado. Avise quem opera este serviço.',

  VALIDATION_FAILED:
    'Algo do que foi enviado não tem a forma que o servidor espera. Confira o que você digitou. Se estiver certo, o erro é nosso.',
  TIMESTAMP_TOO_OLD: 'O que você assinou chegou tarde demais: uma assinatura vale por cinco minutos. Tente de novo.',
  TIMESTAMP_IN_FUTURE:
    'O relógio deste aparelho está adiantado, e a assinatura traz uma hora que ainda não chegou. Deixe data e hora no automático e tente de novo.',
  PUBLIC_KEY_INVALID: 'Esta chave não pode ser usada aqui. Crie uma nova ou confira o que você digitou.',
  DOMAIN_INVALID:
    'Este domínio não é válido. Use letras de a a z, algarismos, hifens e pontos, no máximo 64 caracteres ao todo.',
  DOMAIN_RESERVED: 'Este domínio contém uma palavra reservada. Escolha outro.',
  CATEGORIES_REQUIRED:
    'Nenhum tipo de dado foi escolhido ainda. Escolha pelo menos um; nada que você não escolheu é compartilhado.',
  RECORDS_REQUIRED: 'Não há nenhum registro para enviar. Acrescente pelo menos um.',

  INVALID_SIGNATURE:
    'A assinatura não confere. Talvez esta identidade já tenha uma nova chave: entre com a nova, ou veja qual identidade você está usando.',
  CONSENT_REQUIRED: 'Isto precisa do consentimento da pessoa. Escolha um consentimento ou peça um a ela.',
  TOKEN_NOT_FOUND: 'Este consentimento não existe. Confira o número ou escolha na lista.',
  TOKEN_REVOKED: 'Este consentimento foi retirado. Sem um novo, ele não permite mais nada.',
  TOKEN_EXPIRED: 'Este consentimento venceu. Sem um novo, ele não permite mais nada.',
  INSTITUTE_KEY_MISSING: 'Isto precisa de uma chave do instituto. Digite-a primeiro.',
  INSTITUTE_KEY_INVALID: 'Esta não é uma chave do instituto. Confira e digite de novo.',

  INTENT_NOT_AUTHORIZED: 'O consentimento não permite isto. Peça à pessoa um que permita.',
  CATEGORY_NOT_AUTHORIZED:
    'O consentimento não abrange este tipo de dado. Deixe-o de fora ou peça um consentimento mais amplo.',
  PERIOD_NOT_AUTHORIZED:
    'O consentimento não abrange este período. Escolha um período dentro dele ou peça um consentimento mais amplo.',
  RECORD_LIMIT_REACHED: 'O número de registros que o consentimento permite já foi usado. Peça um novo à pessoa.',
  STORAGE_LIMIT_REACHED: 'Não há espaço para isto: já está guardado tudo o que este serviço permite.',
  INTENT_NOT_ALLOWED_FOR_TYPE:
    'Uma instituição deste tipo não pode fazer isto. Escolha outra finalidade ou outra instituição.',
  IEO_NOT_ACTIVE:
    'Esta instituição não está ativa no momento, e nada pode ser feito com ela. A página dela diz o motivo.',
  NOT_TOKEN_OWNER: 'Este consentimento é de outra identidade. Entre com a que o deu ou recebeu.',

  BEO_NOT_FOUND: 'Esta identidade não existe. Confira o domínio; talvez a identidade tenha sido destruída.',
  IEO_NOT_FOUND: 'Esta instituição não existe. Confira o domínio; talvez a instituição tenha sido destruída.',
  PROPOSAL_NOT_FOUND: 'Esta proposta não existe. Carregue a lista de novo.',
  TRANSACTION_NOT_FOUND: 'Esta entrada não existe. Confira o número; ele tem 43 caracteres.',
  LINK_NOT_FOUND: 'Este link não é conhecido aqui. Veja se foi copiado inteiro ou peça um novo.',
  NOT_FOUND: 'Não há nada aqui. Confira o endereço.',
  BODY_TOO_LARGE: 'É demais de uma vez só. Envie em partes menores.',

  NONCE_REUSED: 'Este mesmo pedido já chegou. Veja se foi feito antes de tentar de novo.',
  DOMAIN_TAKEN: 'Este domínio já é de outra pessoa. Escolha outro.',
  PUBLIC_KEY_TAKEN: 'Esta chave já representa outra pessoa nesta identidade. Use uma chave própria.',
  KEY_UNCHANGED: 'Esta já é a chave que vale. Para trocá-la, crie uma nova.',
  ALREADY_LOCKED: 'Já está bloqueada. Não há mais nada a fazer.',
  NOT_LOCKED: 'Não está bloqueada. Não há o que desbloquear.',
  DUPLICATE_TOKEN: 'Você já deu este mesmo consentimento a esta instituição, e ele ainda vale. Retire aquele primeiro.',
  TOKEN_ALREADY_REVOKED: 'Este consentimento já foi retirado. Não há mais nada a fazer.',
  GUARDIAN_LIMIT: 'Você já tem três guardiões, e não pode haver mais. Remova um antes de convidar outro.',
  GUARDIAN_ROLE_TAKEN: 'Este lugar já é de outro guardião. Escolha um livre ou remova antes aquele guardião.',
  ALREADY_CONFIRMED: 'Isto já foi confirmado. Não há mais nada a fazer.',
  ALREADY_APPROVED: 'Esta chave já aprovou a proposta. A segunda aprovação precisa de outra chave.',
  RECOVERY_NOT_CONFIGURED: 'Esta identidade não tem dois guardiões que possam recuperá-la.',
  RECOVERY_COOLDOWN:
    'Esta identidade foi recuperada há menos de 24 horas. Por segurança, isto precisa esperar até que passem as 24 horas.',
  WRONG_LEDGER: 'Isto foi assinado para outro serviço. Carregue a página de novo e repita o que fez.',

  BEO_DESTROYED: 'Esta identidade foi destruída. Não é possível fazer mais nada com ela.',
  IEO_DESTROYED: 'Esta instituição foi destruída. Não é possível fazer mais nada com ela.',
  LINK_EXPIRED: 'Este link venceu. Peça um novo.',
  LINK_USED: 'Este link já foi usado. Se não foi você, avise quem o enviou.',
  REQUEST_CLOSED: 'Este pedido foi fechado. Não é possível fazer mais nada com ele.',

  RECORD_INVALID: 'Pelo menos um registro não é válido, por isso nenhum foi guardado. Corrija e envie todos outra vez.',
  TOO_MANY_RECORDS: 'No máximo 100 registros vão juntos. Envie em partes.',
  BEO_LOCKED: 'Esta identidade está bloqueada. O titular precisa desbloqueá-la primeiro.',
  IEO_LOCKED: 'Esta instituição está bloqueada. Ela precisa ser desbloqueada primeiro.',
} satisfies typeof english;
