import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startPartnerWorld } from '../../apps/server/test/support/partner-world.ts'

/**
 * Plays what a partner has of its own, for docs/partners.md: the name servers of its zone, and an ingress with TLS that leads
 * to a demo.
 *
 *     node docs/examples/partner-zone.ts data/zone &
 *     env $(cat data/zone/environment) npm run demo
 *     curl -X PUT http://127.0.0.1:8790/ingress -d http://127.0.0.1:8080
 */
const host = 'liquidity.partner.example'

export interface PartnerZone {
  /** For the demo that stands behind it. */
  readonly environment: Record<string, string>
  /** `PUT /records` takes `name=value` of a text record, `PUT /ingress` the address that the host leads to. */
  readonly url: string
  readonly leadTo: (baseUrl: string) => void
  readonly stop: () => Promise<void>
}

export async function startPartnerZone(folder: string, port: number): Promise<PartnerZone> {
  const world = await startPartnerWorld([host])
  world.names.zone(host)
  mkdirSync(folder, { recursive: true })
  const certificate = join(folder, 'certificate.pem')
  writeFileSync(certificate, world.certificate)
  const { SMTP_URL: _, ...names } = world.environment
  const environment = {
    ...names,
    OUTBOUND_ALLOW: world.allowed.join(','),
    NODE_EXTRA_CA_CERTS: certificate,
  }
  const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(join(folder, 'environment'), lines.join(''))
  const control = createServer(async (request, response) => {
    const text = Buffer.concat(await Array.fromAsync(request)).toString('utf8')
    const split = text.indexOf('=')
    if (request.url === '/ingress') world.leadTo(text)
    else world.names.publish(text.slice(0, split), text.slice(split + 1))
    response.writeHead(204).end()
  })
  await new Promise<void>((done) => control.listen(port, '127.0.0.1', done))
  const address = control.address()
  const listening = typeof address === 'object' && address ? address.port : port
  return {
    environment,
    url: `http://127.0.0.1:${listening}`,
    leadTo: world.leadTo,
    stop: async () => {
      await new Promise((done) => control.close(done))
      await world.stop()
    },
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const zone = await startPartnerZone(process.argv[2] ?? 'data/zone', 8790)
  process.stdout.write(`${zone.url}\n`)
}
