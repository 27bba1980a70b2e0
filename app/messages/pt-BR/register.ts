/** Registering an institution. */
export default {
  title: 'Cadastrar uma instituição',
  step: 'Passo {step, number} de {steps, number}',
  back: 'Voltar',
  next: 'Continuar',

  domain: {
    title: 'Qual domínio é o seu aqui?',
    lead: 'As pessoas que dão um consentimento a você veem este nome. Ele é público e pertence à instituição para sempre: nunca é dado a mais ninguém, nem depois que a instituição deixar de existir.',
    label: 'Domínio',
    hint: 'Letras minúsculas de a a z, algarismos e hifens, como santa-clara.{suffix}',
    empty: 'Digite um domínio.',
    looking: 'Verificando se está livre …',
    free: '{domain} está livre.',
    taken: '{domain} já tem dono. Escolha outro.',
    resting: '{domain} foi liberado há pouco. Poderá ser usado de novo a partir das {time}.',
    DOMAIN_INVALID:
      'Isso não pode ser um domínio. As partes dele são feitas das letras de a a z, de algarismos e de hifens que não fiquem no começo nem no fim; ele tem no máximo 64 caracteres e termina em .{suffix}',
    DOMAIN_RESERVED: 'Uma parte deste domínio é reservada. Escolha outro.',
  },

  type: {
    title: 'Que tipo de instituição é?',
    lead: 'Disso depende o que um consentimento pode permitir, e não dá para mudar depois. Tudo precisa do consentimento da pessoa; o tipo sozinho não dá direito a nada.',
    group: 'Tipo de instituição',
    none: 'Escolha um tipo.',
    LAB: { name: 'Laboratório', what: 'Pode acrescentar e ler registros, onde um consentimento permitir.' },
    HOSPITAL: {
      name: 'Hospital ou clínica',
      what: 'Pode acrescentar e ler registros, onde um consentimento permitir.',
    },
    PHYSICIAN: {
      name: 'Médico ou médica',
      what: 'Um só profissional ou consultório. Pode acrescentar e ler registros, onde um consentimento permitir.',
    },
    WEARABLE: {
      name: 'Fabricante de dispositivos',
      what: 'Pode acrescentar o que seus dispositivos medem, e mais nada. Nunca pode ler registros.',
    },
    INSURER: {
      name: 'Seguradora',
      what: 'Pode acrescentar e ler registros, onde um consentimento permitir. Todo consentimento que recebe precisa ter um fim.',
    },
    RESEARCH: {
      name: 'Instituição de pesquisa',
      what: 'Pode acrescentar e ler registros, onde um consentimento permitir.',
    },
    PLATFORM: {
      name: 'Plataforma de saúde',
      what: 'Pode ler registros, onde um consentimento permitir. Nunca pode acrescentar nenhum.',
    },
  },

  name: {
    title: 'Como ela se chama?',
    lead: 'As pessoas leem este nome antes de dar um consentimento. Escreva como elas o conhecem.',
    label: 'Nome da instituição',
    hint: 'De 2 a 120 caracteres.',
    short: 'Digite um nome de pelo menos 2 caracteres.',
    invisible: 'O nome tem caracteres que não se veem. Digite-o de novo à mão.',
    styled: '“{word}” tem letras que só parecem ser de a a z. Digite com letras comuns.',
    mixed: '“{word}” mistura letras de alfabetos diferentes. Escreva cada palavra em um só alfabeto.',
    more: 'Se quiser dizer onde ela está registrada. O que você deixar em branco fica de fora.',
    country: 'País',
    jurisdiction: 'Jurisdição',
    jurisdictionHint: 'Onde fica a supervisão: um estado, uma federação, uma autoridade.',
    legalId: 'Número de registro',
    legalIdHint: 'Como no registro público: CNPJ ou equivalente.',
  },

  public: {
    title: 'Isto se torna público, para sempre',
    lead: 'O cadastro é escrito em um registro público e permanente. Confira mais uma vez:',
    domain: 'Domínio',
    type: 'Tipo',
    name: 'Nome',
    country: 'País',
    jurisdiction: 'Jurisdição',
    legalId: 'Número de registro',
    key: 'Chave pública',
    keyWhat: 'A metade pública da chave que será criada no próximo passo',
    stays:
      'Todos podem ler. Destruir a instituição mais tarde apaga nome, país, jurisdição, número e chave deste serviço, mas não do registro público.',
    later:
      'Também será público, mais adiante: quais consentimentos ela recebe e de quem, quantos registros envia e quando, e o que o instituto decide sobre ela. O que os registros dizem, não.',
    uncertified: 'Ela começa sem certificação. Só o instituto certifica.',
    person:
      'É uma só pessoa, como um médico? Então estes são dados pessoais. Publique apenas o que já é público de qualquer forma.',
    yes: 'Está certo, criar a chave',
    change: 'Mudar alguma coisa',
  },

  key: {
    making: 'Criando a chave',
    makingBody: 'Um momento, por favor.',
    failed: 'Não foi possível criar a chave',
    failedBody: 'Uma parte desta página não carregou. Verifique sua conexão e carregue a página de novo.',
    kept: 'Você já tem uma cópia da chave',
    keptBody: 'Você fez uma cópia quando começou aqui antes. É a mesma chave.',
    again: 'Fazer outra cópia',
    forgetful: 'Este navegador esquece',
    forgetfulBody:
      'Ele não nos deixa guardar nada, talvez por ser uma janela anônima. Não feche nem recarregue esta página antes de terminar.',
  },

  browser: {
    lead: '{domain} está cadastrada. Para trabalhar com ela aqui, este navegador também guarda a chave.',
    later: 'Não neste navegador',
  },

  send: {
    title: 'Cadastrar {domain}',
    lead: 'Daqui em diante todos podem ver. Não há como desfazer.',
    yes: 'Cadastrar agora',
    sending: 'Cadastrando {domain} …',
    taken: 'Alguém ficou com {domain} nesse meio-tempo. Escolha outro domínio, para o qual será criada uma nova chave.',
    anotherDomain: 'Escolher outro domínio',
  },
};
