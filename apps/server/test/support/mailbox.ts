import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { until } from './until.ts'

export interface Mailbox {
  url: string
  mails: Email[]
  /** Waits for the first email to an address after the given number of emails to it. */
  mailTo: (address: string, after?: number) => Promise<Email>
  stop: () => Promise<void>
}

/** A real SMTP server that stores received emails. */
export async function startMailbox(): Promise<Mailbox> {
  const mails: Email[] = []
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: async (stream, _session, done) => {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk as Buffer)
      mails.push(await PostalMime.parse(Buffer.concat(chunks)))
      done()
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.server.address() as AddressInfo
  const to = (address: string) =>
    mails.filter((mail) => mail.to?.some((recipient) => recipient.address === address))
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    mailTo: (address, after = 0) => until(`a mail to ${address}`, () => to(address)[after]),
    stop: () => new Promise<void>((done) => server.close(() => done())),
  }
}

/** A mail server that accepts connections but never responds. */
export async function startSilentServer(): Promise<{
  url: string
  connections: () => number
  stop: () => void
}> {
  const sockets = new Set<Socket>()
  let count = 0
  const server: Server = createServer((socket) => {
    count += 1
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    connections: () => count,
    stop: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Secret in an email link, located after # so that no server receives it. */
export function linkIn({ text }: Email): { url: string; token: string } {
  const url = /https?:\/\/\S+#\S+/.exec(text ?? '')?.[0] ?? ''
  return { url, token: new URL(url).hash.slice(1) }
}
