import { request as forward } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { makeTestCertificate } from '../../src/integrations/outbound/testing/certificate.ts'
import { type Mailbox, startMailbox } from './mailbox.ts'
import { startNames, type TestNames } from './name-servers.ts'

/** Environment of a deployment with partners: name servers, email, and a TLS ingress in front. */
export interface PartnerWorld {
  names: TestNames
  mailbox: Mailbox
  environment: Record<string, string>
  /** `host:port` pairs that the service may reach in it. */
  allowed: string[]
  certificate: string
  /** Leads the requests of all hosts to a service. */
  leadTo: (baseUrl: string) => void
  stop: () => Promise<void>
}

export async function startPartnerWorld(hosts: readonly string[]): Promise<PartnerWorld> {
  const [names, mailbox] = await Promise.all([startNames(), startMailbox()])
  const certificate = makeTestCertificate(hosts)
  const authorities = getCACertificates('default')
  setDefaultCACertificates([...authorities, certificate.cert])
  let target = ''
  const ingress = createServer(certificate, (incoming, response) => {
    const { headers, method, url } = incoming
    const request = forward(`${target}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    incoming.pipe(request)
  })
  const port = await portOf(ingress)
  return {
    names,
    mailbox,
    certificate: certificate.cert,
    environment: {
      SMTP_URL: mailbox.url,
      DNS_RESOLVERS: `127.0.0.1:${names.port}`,
      DNS_SERVER_PORT: String(names.port),
      PARTNER_INGRESS: '127.0.0.1',
      PARTNER_HTTPS_PORT: String(port),
      PARTNER_DOMAIN_SECONDS: '86400',
    },
    allowed: [
      ...[names.first, names.second].map(({ address }) => `${address}:${names.port}`),
      ...hosts.map((host) => `${host}:${port}`),
    ],
    leadTo: (baseUrl) => {
      target = baseUrl
    },
    stop: async () => {
      await new Promise((done) => ingress.close(done))
      await Promise.all([names.stop(), mailbox.stop()])
      setDefaultCACertificates(authorities)
    },
  }
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}
