/** The form of one notification channel. */
export default {
  service: 'Service',
  choose: 'Choose a service',
  other: 'Another address',
  address: 'Address',
  addressHint:
    'A service URL such as json://host/path. Services that Holdfast does not know need an Apprise server.',
  web: 'URL',
  scheme: 'The address begins with',
  more: 'More settings',
  usual: 'As usual',
  name: 'Name',
  nameHint: 'So that you recognise it in lists.',
  test: 'Send a test message',
  testHint: 'Nothing is saved.',
  fillIn: 'Fill in what is needed first.',
  sent: 'The message was sent.',
  notSent: 'The message was not sent.',
  /** Labels of fields come from the services, in English. */
  /** Of a field, as the service names it. */
  labelOf: (label: string) => label,
};
