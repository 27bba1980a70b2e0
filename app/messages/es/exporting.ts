export default {
  title: 'Llévese sus registros',
  lead: 'Un archivo con todo lo que se guarda sobre usted, también los valores sustituidos, exactamente como se envió.',
  formats: '¿Para qué es el archivo?',
  format: {
    CSV: {
      name: 'Una hoja de cálculo',
      what: 'CSV: una fila por registro, para Excel, LibreOffice o Numbers, o para quien vaya a calcular con él.',
    },
    FHIR_R4: {
      name: 'El próximo sistema de salud',
      what: 'HL7 FHIR R4: la forma en que clínicas, laboratorios y aplicaciones de salud se pasan los datos.',
    },
    JSON: {
      name: 'Guardar, con pruebas',
      what: 'JSON: todo lo que se sabe, con lo que prueba cada registro en el libro mayor, aunque este servicio deje de existir.',
    },
  },
  careful:
    'El archivo no está cifrado: quien lo tenga puede leerlo. Guárdelo donde guardaría un informe médico. {whose, select, own {Que usted lo hizo queda anotado en su registro de accesos.} other {La persona ve en su registro de accesos que usted exportó sus registros.}}',
  choose: 'Elija para qué es el archivo.',
  again: 'Intentar de nuevo',
  make: 'Hacer el archivo',
  making: 'Haciendo el archivo',
  preparing: 'Pidiendo los registros',
  soFar: '{count, plural, one {# registro} other {# registros}}; {size} hasta ahora',
  cancel: 'Cancelar',
  cancelled: 'Cancelado. No se guardó nada.',
  ready: {
    title: 'Su archivo está listo',
    what: '{count, plural, =0 {No contiene registros: todavía no hay ninguno.} one {Contiene # registro.} other {Contiene # registros.}} Está solo en la memoria de este navegador: guárdelo ahora.',
    save: 'Guardar el archivo',
    another: 'Hacer otro',
  },
  broken: 'El archivo no llegó entero, así que no se guardó nada de él. Revise su conexión e inténtelo de nuevo.',
  notNow: {
    title: 'Ahora no se puede exportar nada',
    locked:
      'Su identidad está bloqueada y los registros no van a nadie hasta que usted la desbloquee: tampoco a usted.',
    destroyed: 'Esta identidad fue destruida, y sus registros con ella.',
  },
};
