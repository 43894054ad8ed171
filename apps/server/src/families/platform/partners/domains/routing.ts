import { isIP } from 'node:net'
import type { contract } from '@liquidity-os/contract'
import ipaddr from 'ipaddr.js'
import type { Config } from '../../../../config.ts'
import { createOutbound } from '../../../../integrations/outbound/outbound.ts'
import { OutboundError } from '../../../../integrations/outbound/outbound-error.ts'
import { limits } from '../../../../limits.ts'
import { dnsOf } from './check-domain.ts'

type Routing = contract.PartnerDomainRouting
type Routed = Pick<contract.PartnerDomainChallenge, 'host' | 'routingPath' | 'routingValue'>

/**
 * Checks if a host's addresses lead to the ingress, and if the deployment responds on it over TLS.
 */
export async function lookAtRoute(config: Config, routed: Routed): Promise<Routing> {
  const dns = dnsOf(config)
  const [addresses, ingress] = await Promise.all([
    dns.addressesOf(routed.host),
    config.partnerIngress.length > 0
      ? config.partnerIngress
      : dns.addressesOf(new URL(config.baseUrl).hostname.replace(/^\[|\]$/g, '')),
  ])
  const [found, expected] = [addresses.map(oneSpelling).sort(), ingress.map(oneSpelling).sort()]
  const leadsHere = found.length > 0 && found.every((address) => expected.includes(address))
  const { answersHere, detail } = await askHost(config, routed, found)
  return {
    leadsHere,
    addresses: found.slice(0, 32),
    ingress: expected.slice(0, 32),
    answersHere,
    detail: detail.slice(0, 300),
  }
}

/** Connects to the addresses just resolved, to prevent DNS rebinding. */
async function askHost(
  { outboundAllow, partnerHttpsPort }: Config,
  { host, routingPath, routingValue }: Routed,
  addresses: readonly string[],
): Promise<Pick<Routing, 'answersHere' | 'detail'>> {
  if (addresses.length === 0)
    return { answersHere: false, detail: 'the host does not resolve to an address' }
  const outbound = createOutbound({
    allowHttp: false,
    allow: outboundAllow,
    resolve: async () => addresses.map((address) => ({ address, family: isIP(address) })),
  })
  const port = partnerHttpsPort === httpsPort ? '' : `:${partnerHttpsPort}`
  try {
    const { status, body } = await outbound.request(`https://${host}${port}${routingPath}`, {
      timeoutMs: limits.partnerRoutingMilliseconds,
      maxBytes: limits.partnerRoutingBytes,
    })
    if (status !== 200) return { answersHere: false, detail: `the host returned HTTP ${status}` }
    const answersHere = Buffer.from(body).toString().trim() === routingValue
    const detail = answersHere
      ? 'the host returns the routing value'
      : 'the host returned another value'
    return { answersHere, detail }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { answersHere: false, detail: `${error.code}: ${error.message}` }
  } finally {
    await outbound.close()
  }
}

const httpsPort = 443

const oneSpelling = (address: string): string =>
  ipaddr.isValid(address) ? ipaddr.parse(address).toString() : address
