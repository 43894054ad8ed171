import { createServer, type DnsServer, Packet } from 'dns2'

type Resource = { name: string; type: number; class: number; ttl: number } & Record<string, unknown>
type Behaviour = 'ANSWERS' | 'REFUSES'

/**
 * A name server with its records. An authority has its own records; the resolver has all records.
 */
export class NameServer {
  readonly address: string
  behaviour: Behaviour = 'ANSWERS'
  /** Responds with this text for every name below a zone. */
  wildcard: { below: string; text: string } | null = null
  readonly #server: DnsServer
  readonly #records = new Map<string, Resource[]>()

  constructor(address: string) {
    this.address = address
    this.#server = createServer({
      udp: true,
      handle: (request, send) => {
        const response = Packet.createResponseFromRequest(request)
        response.header.aa = 1
        const [question] = request.questions
        if (this.behaviour === 'REFUSES') response.header.rcode = refused
        else if (question) {
          const { name, type } = question as unknown as { name: string; type: number }
          response.answers.push(...(this.#answers(name.toLowerCase(), type) as never[]))
        }
        send(response)
      },
    })
  }

  /** @returns listening port */
  async listen(port: number): Promise<number> {
    const addresses = await this.#server.listen({ udp: { port, address: this.address } })
    return (addresses as unknown as { udp: { port: number } }).udp.port
  }

  stop = (): Promise<void> => this.#server.close() as Promise<void>

  text(name: string, ...values: string[]): void {
    this.#put(
      name,
      Packet.TYPE.TXT,
      values.map((data) => ({ data })),
    )
  }
  alias(name: string, domain: string | null): void {
    this.#put(name, Packet.TYPE.CNAME, domain === null ? [] : [{ domain }])
  }
  host(name: string, ...addresses: string[]): void {
    this.#put(
      name,
      Packet.TYPE.A,
      addresses.map((address) => ({ address })),
    )
  }
  servers(zone: string, ...names: string[]): void {
    this.#put(
      zone,
      Packet.TYPE.NS,
      names.map((ns) => ({ ns })),
    )
  }

  #put(name: string, type: number, records: Record<string, unknown>[]): void {
    const made = records.map((record) => ({
      name,
      type,
      class: Packet.CLASS.IN,
      ttl: 60,
      ...record,
    }))
    this.#records.set(`${name} ${type}`, made)
  }

  #answers(name: string, type: number): Resource[] {
    const found = this.#records.get(`${name} ${type}`) ?? []
    if (found.length > 0 || type !== Packet.TYPE.TXT || !this.wildcard) return found
    if (!name.endsWith(`.${this.wildcard.below}`)) return found
    return [{ name, type, class: Packet.CLASS.IN, ttl: 60, data: this.wildcard.text }]
  }
}

const refused = 5

/** Two authorities and a resolver of their zone, each a real server on the same port. */
export interface TestNames {
  readonly resolver: NameServer
  readonly first: NameServer
  readonly second: NameServer
  readonly port: number
  /** Lets a zone be held by the two, and leads its host to an address. */
  zone: (host: string, address?: string) => void
  /** Publishes a text on these servers; default: all three. */
  publish: (name: string, text: string | null, on?: readonly NameServer[]) => void
  stop: () => Promise<void>
}

export async function startNames(): Promise<TestNames> {
  const resolver = new NameServer('127.0.0.1')
  const [first, second] = [new NameServer('127.0.0.2'), new NameServer('127.0.0.3')]
  const all = [resolver, first, second]
  const port = await resolver.listen(0)
  for (const server of [first, second]) await server.listen(port)
  resolver.host('ns1.names.test', first.address)
  resolver.host('ns2.names.test', second.address)
  return {
    resolver,
    first,
    second,
    port,
    zone: (host, address = '127.0.0.1') => {
      resolver.servers(host, 'ns1.names.test', 'ns2.names.test')
      resolver.host(host, address)
    },
    publish: (name, text, on = all) => {
      for (const server of on) server.text(name, ...(text === null ? [] : [text]))
    },
    stop: async () => {
      await Promise.all(all.map((server) => server.stop()))
    },
  }
}
