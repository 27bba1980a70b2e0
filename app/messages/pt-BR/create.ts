import type english from '../en/create.ts';

export default {
  title: 'Criar uma identidade',
  name: {
    title: 'Como sua identidade vai se chamar?',
    lead: 'Este nome é público para sempre e não pode ser mudado. Por isso, não deve dizer nada sobre você.',
    label: 'Nome',
    hint: 'Letras de a até z, algarismos e hifens. Termina em .{suffix}',
    another: 'Sugerir outro',
    looking: 'Vendo se está livre …',
    free: '{domain} está livre.',
    empty: 'Digite um nome ou peça uma sugestão.',
    taken: '{domain} já está em uso. Escolha outro.',
    resting: '{domain} foi deixado há pouco tempo. Pode ser usado de novo a partir de {at}.',
    DOMAIN_INVALID:
      'Um nome tem letras de a até z, algarismos e hifens, sem hifen nas pontas, e com .{suffix} no máximo 64 caracteres.',
    DOMAIN_RESERVED: 'Este nome contém uma palavra reservada. Escolha outro.',
    lostTitle: '{domain} já está em uso',
    lost: 'Outra pessoa foi mais rápida. Escolha outro nome; sua chave continua a mesma.',
    next: 'Continuar',
    whyTitle: 'Por que não o seu próprio nome?',
    why: 'Todos podem ver a que instituições um nome dá consentimento, e quando. Enquanto ninguém souber que o nome é seu, isso não diz nada sobre você. Conte-o só a quem precisa.',
  },
  public: {
    title: 'O que fica público para sempre',
    lead: 'Toda identidade está em um registro público que ninguém pode mudar nem apagar, nem nós.',
    yesTitle: 'Todos podem ver',
    name: 'o nome {domain} e quando foi criado',
    key: 'a chave pública dele, com que todos podem conferir o que você assinou',
    confirmed:
      'que guardiões só contam depois que você mesmo os confirmar. Isso é assinado uma vez e não pode ser desfeito',
    later: 'o que você assinar depois: a que instituição dá consentimento, para que tipo de dados, e quando o retira',
    noTitle: 'Ninguém pode ver ali',
    you: 'quem é você: não pedimos nome, endereço nem telefone',
    records: 'seus registros de saúde',
    guardians: 'os nomes dos seus guardiões',
    forEver: 'Mesmo que um dia você destrua a identidade, essas anotações permanecem.',
    next: 'Entendi, criar minha chave',
  },
  key: {
    making: 'Criando sua chave',
    makingBody: 'Ela é criada neste navegador e nunca sai dele.',
    failed: 'Este navegador não consegue criar uma chave',
    failedBody: 'Abra esta página de novo em um navegador atualizado, neste ou em outro aparelho. Nada se perdeu.',
    kept: 'Sua chave está guardada',
    keptBody: 'Você tem a sua própria cópia e pode continuar. Se quiser, guarde uma segunda cópia em outro lugar.',
    again: 'Guardar outra cópia',
    otherName:
      'A chave continua a mesma, mas o arquivo que você salvou diz {before}. Guarde também uma cópia para {domain}.',
  },
  here: {
    created: '{domain} já foi criada. Só falta guardar sua chave neste navegador.',
  },
  send: {
    title: 'Criar {domain} agora?',
    lead: 'Está tudo pronto. Até agora nada saiu deste aparelho, a não ser a pergunta se o nome está livre.',
    signs: 'Sua chave assina o nome {domain} e a chave pública dele, e os dois ficam públicos para sempre.',
    confirmed:
      'Ela também assina que guardiões só contam depois que você mesmo os confirmar. Sem isso, este serviço poderia aceitar um convite no lugar de alguém. É público e não pode ser desfeito.',
    yes: 'Criar a identidade',
    sending: 'Criando …',
    safe: 'Sua chave e seu nome continuam aqui. Tente de novo: nada é feito duas vezes.',
  },
  done: {
    title: '{domain} é sua',
    lead: 'Vale a partir de agora. Daqui a pouco também será definitiva no registro público; você não precisa esperar.',
    next: 'O que você pode fazer agora',
    guardians: 'Escolher guardiões',
    guardiansWhat:
      'Duas ou três pessoas que podem lhe dar uma chave nova se você perder a sua. Elas contam depois que você comparar seis palavras com elas e confirmar. Melhor fazer hoje.',
    open: 'Falta uma coisa: sua assinatura de que guardiões só contam depois que você os confirmar não chegou. Suas páginas a oferecem de novo.',
    consent: 'Dar um consentimento',
    consentWhat: 'Permita que uma instituição veja ou acrescente certos dados, pelo tempo que você quiser.',
    pages: 'Ver suas páginas',
    pagesWhat: 'Tudo sobre sua identidade em um só lugar.',
  },
  forgetful: {
    title: 'Este navegador não guarda nada',
    body: 'Ele pode estar no modo privado. Deixe esta página aberta até terminar.',
  },
} satisfies typeof english;
