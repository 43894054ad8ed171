import { type AddressInfo, createServer, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Mailer } from '../../mailer.ts'
import { makeTestCertificate } from '../outbound/testing/certificate.ts'
import { MailError } from './mail-error.ts'
import { createMailer, type MailerOptions } from './mailer.ts'

const certificate = makeTestCertificate()
const authorities = getCACertificates()
beforeAll(() => setDefaultCACertificates([...authorities, certificate.cert]))
afterAll(() => setDefaultCACertificates(authorities))

const closing: (() => unknown)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

interface Delivered {
  readonly recipients: readonly string[]
  readonly isSecure: boolean
  readonly user: string | null
  readonly raw: string
  readonly email: Email
}

/** A real SMTP server, and what it took in. */
async function mailServer(
  options: SMTPServerOptions,
): Promise<{ port: number; mails: Delivered[] }> {
  const mails: Delivered[] = []
  const server = new SMTPServer({
    onData: async (stream, session, done) => {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk as Buffer)
      const raw = Buffer.concat(chunks).toString('latin1')
      mails.push({
        recipients: session.envelope.rcptTo.map(({ address }) => address),
        isSecure: session.secure,
        user: typeof session.user === 'string' ? session.user : null,
        raw,
        email: await PostalMime.parse(Buffer.concat(chunks)),
      })
      done()
    },
    ...options,
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise<void>((resolve) => server.close(resolve)))
  return { port: (server.server.address() as AddressInfo).port, mails }
}

const plain: SMTPServerOptions = { disabledCommands: ['AUTH', 'STARTTLS'] }
const withLogin: SMTPServerOptions = {
  ...certificate,
  onAuth: ({ username, password }, _session, done) =>
    username === 'us er' && password === 'p@ss:word'
      ? done(null, { user: username })
      : done(new Error('Wrong.')),
}
const credentials = 'us%20er:p%40ss%3Aword@'

/** A server that speaks only as told; it never closes a connection by itself. */
async function rawServer(speak: (socket: Socket) => unknown): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    speak(socket)
  })
  closing.push(
    () => server.close(),
    () => sockets.forEach((socket) => void socket.destroy()),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function mailer(smtpUrl: string | null, options: Partial<MailerOptions> = {}): Mailer {
  const from = 'Liquidity OS <no-reply@example.org>'
  const made = createMailer({ smtpUrl, from, ...options })
  closing.push(() => made.close())
  return made
}

const signIn = {
  to: 'ada@example.org',
  link: 'https://liquidity.example.org/auth/sign-in#token_1234567890_abcdefghijklmnopqrstuvwxyz',
  expiresAt: new Date('2026-01-31T12:15:00Z'),
}

async function failureOf(work: Promise<void>): Promise<MailError> {
  const error: unknown = await work.catch((reason: unknown) => reason)
  if (error instanceof MailError) return error
  throw new Error('Not a MailError.', { cause: error })
}

describe('a sign-in link', () => {
  it('arrives as text and as HTML, whole', async () => {
    const { port, mails } = await mailServer(plain)
    await mailer(`smtp://127.0.0.1:${port}`).sendSignInLink(signIn)
    expect(mails).toHaveLength(1)
    const [{ email, recipients }] = mails as [Delivered]
    expect(recipients).toEqual(['ada@example.org'])
    expect(email.from).toEqual({ name: 'Liquidity OS', address: 'no-reply@example.org' })
    expect(email.to).toEqual([{ name: '', address: 'ada@example.org' }])
    expect(email.subject).toBe('Sign in to Liquidity OS')
    expect(email.text).toContain(`\n${signIn.link}\n`)
    expect(email.text).toContain('until 2026-01-31 12:15 UTC')
    expect(email.html).toContain(`href="${signIn.link}"`)
    const automatic = email.headers.find(({ key }) => key === 'auto-submitted')
    expect(automatic?.value).toBe('auto-generated')
  })

  it('names the organization, in any script, without letting it speak HTML', async () => {
    const { port, mails } = await mailServer(plain)
    const organizationName = 'Größe & <b>流動性</b>'
    await mailer(`smtp://127.0.0.1:${port}`).sendSignInLink({ ...signIn, organizationName })
    const [{ email }] = mails as [Delivered]
    expect(email.subject).toBe(`Sign in to ${organizationName} on Liquidity OS`)
    expect(email.text).toContain(organizationName)
    expect(email.html).not.toContain('<b>')
    expect(email.html).toContain('Größe &#38; &#60;b&#62;流動性')
  })

  it('takes no header from a name', async () => {
    const { port, mails } = await mailServer(plain)
    const organizationName = 'Acme\r\nBcc: eve@example.org\r\n\r\nBody\u2028\u0000'
    await mailer(`smtp://127.0.0.1:${port}`).sendSignInLink({ ...signIn, organizationName })
    const [{ email, recipients, raw }] = mails as [Delivered]
    expect(recipients).toEqual(['ada@example.org'])
    expect(email.headers.map(({ key }) => key)).not.toContain('bcc')
    expect(raw).not.toMatch(/^bcc:/im)
    expect(email.subject).toBe('Sign in to Acme Bcc: eve@example.org Body on Liquidity OS')
  })

  it.each([
    'ada@example.org\r\nBcc: eve@example.org',
    'ada@example.org, eve@example.org',
    'ada@example.org;eve@example.org',
    'Ada <ada@example.org>',
    'ada@example.org>\r\nRCPT TO:<eve@example.org',
    '"a b"@example.org',
    'group:ada@example.org',
    'ada@@example.org',
    'ada',
    '@example.org',
    '',
    `${'a'.repeat(250)}@example.org`,
  ])('goes to no recipient like %j', async (to) => {
    const { port, mails } = await mailServer(plain)
    const error = await failureOf(
      mailer(`smtp://127.0.0.1:${port}`).sendSignInLink({ ...signIn, to }),
    )
    expect(error.code).toBe('ADDRESS_REFUSED')
    expect(mails).toEqual([])
    const printed: string[] = []
    const printer = mailer(null, { print: (text) => printed.push(text) })
    expect((await failureOf(printer.sendSignInLink({ ...signIn, to }))).code).toBe(
      'ADDRESS_REFUSED',
    )
    expect(printed).toEqual([])
  })

  it('is printed where there is no mail server', async () => {
    const printed: string[] = []
    await mailer(null, { print: (text) => printed.push(text) }).sendSignInLink(signIn)
    expect(printed).toHaveLength(1)
    expect(printed[0]).toContain('To: ada@example.org')
    expect(printed[0]).toContain(signIn.link)
  })
})

describe('a dead letter', () => {
  it('names the webhook, the message, the receiver and the attempts', async () => {
    const { port, mails } = await mailServer(plain)
    await mailer(`smtp://127.0.0.1:${port}`).sendDeliveryDeadLetter({
      to: 'owner@example.org',
      webhookId: 'webhook_1',
      messageId: 'event_1',
      url: 'https://receiver.example.org/hook?a=1&b=<2>',
      address: 'https://liquidity.example.org/o/org_1/go/webhook_1',
      attempts: 9,
    })
    const [{ email }] = mails as [Delivered]
    expect(email.subject).toBe('A webhook delivery failed: webhook_1')
    for (const fact of ['webhook_1', 'event_1', '9 attempts', 'a=1&b=<2>']) {
      expect(email.text).toContain(fact)
    }
    expect(email.html).toContain('a=1&#38;b=&#60;2&#62;')
    expect(email.text).toContain('https://liquidity.example.org/o/org_1/go/webhook_1\n')
  })
})

describe('a mail server', () => {
  it('gets the mail over STARTTLS with credentials', async () => {
    const { port, mails } = await mailServer(withLogin)
    await mailer(`smtp://${credentials}localhost:${port}`).sendSignInLink(signIn)
    expect(mails).toMatchObject([{ isSecure: true, user: 'us er' }])
  })

  it('gets the mail over TLS from the start', async () => {
    const { port, mails } = await mailServer({ ...withLogin, secure: true })
    await mailer(`smtps://${credentials}localhost:${port}`).sendSignInLink(signIn)
    expect(mails).toMatchObject([{ isSecure: true, user: 'us er' }])
  })

  it('without STARTTLS gets no credentials, unless the operator says so', async () => {
    const { port, mails } = await mailServer({
      ...withLogin,
      hideSTARTTLS: true,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
    })
    const url = `smtp://${credentials}127.0.0.1:${port}`
    expect((await failureOf(mailer(url).sendSignInLink(signIn))).code).toBe('TLS_FAILED')
    expect(mails).toEqual([])
    await mailer(`${url}?requireTLS=false`).sendSignInLink(signIn)
    expect(mails).toMatchObject([{ isSecure: false, user: 'us er' }])
  })

  it('with an untrusted certificate receives no data', async () => {
    const otherCertificate = makeTestCertificate()
    const { port, mails } = await mailServer({ ...withLogin, ...otherCertificate })
    const error = await failureOf(mailer(`smtp://localhost:${port}`).sendSignInLink(signIn))
    expect(error.code).toBe('TLS_FAILED')
    expect(mails).toEqual([])
  })

  it('may refuse credentials, and they are not repeated', async () => {
    const { port } = await mailServer(withLogin)
    const error = await failureOf(
      mailer(`smtp://user:hunter2@localhost:${port}`).sendSignInLink(signIn),
    )
    expect(error.code).toBe('AUTHENTICATION_FAILED')
    expect(error.message).not.toContain('hunter2')
  })

  it('may demand credentials that we do not have', async () => {
    const { port } = await mailServer(withLogin)
    const error = await failureOf(mailer(`smtp://localhost:${port}`).sendSignInLink(signIn))
    expect(error.code).toBe('SERVER_REFUSED')
  })

  it('may refuse the recipient, and neither address nor link is repeated', async () => {
    const { port, mails } = await mailServer({
      ...plain,
      onRcptTo: (_address, _session, done) => done(new Error('No such user ada@example.org')),
    })
    const error = await failureOf(mailer(`smtp://127.0.0.1:${port}`).sendSignInLink(signIn))
    expect(error.code).toBe('SERVER_REFUSED')
    expect(error.message).not.toMatch(/ada|token_/)
    expect(mails).toEqual([])
  })

  it('may hang before it greets', async () => {
    const port = await rawServer(() => undefined)
    const silent = mailer(`smtp://127.0.0.1:${port}`, { timeoutMs: 60 })
    expect((await failureOf(silent.sendSignInLink(signIn))).code).toBe('TIMED_OUT')
  })

  it('may drip for ever', async () => {
    const port = await rawServer((socket) => {
      const drip = setInterval(() => socket.write('220-still here\r\n'), 5)
      socket.on('close', () => clearInterval(drip))
    })
    const dripping = mailer(`smtp://127.0.0.1:${port}`, { timeoutMs: 100 })
    expect((await failureOf(dripping.sendSignInLink(signIn))).code).toBe('TIMED_OUT')
  })

  it('may be down or speak something else', async () => {
    const { port } = await mailServer(plain)
    await Promise.all(closing.splice(0).map((close) => close()))
    const down = mailer(`smtp://127.0.0.1:${port}`)
    expect((await failureOf(down.sendSignInLink(signIn))).code).toBe('SERVER_UNREACHABLE')
    const web = await rawServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    const other = mailer(`smtp://127.0.0.1:${web}`)
    expect((await failureOf(other.sendSignInLink(signIn))).code).toBe('SERVER_REFUSED')
  })
})
