/** An exchange of ccxt, with what it serves without credentials. */
export interface ListedExchange {
  readonly name: string
  readonly hosts: readonly string[]
  readonly hasBooks: boolean
  readonly hasCandles: boolean
}

interface Described {
  readonly name: string
  readonly hostname?: string
  readonly urls: { readonly api: unknown }
  readonly has: Readonly<Record<string, unknown>>
}

/** Reads the exchanges from the installed ccxt. Loads the whole package. */
export async function listExchanges(): Promise<Record<string, ListedExchange>> {
  const { default: ccxt } = (await import('ccxt')) as unknown as {
    default: { exchanges: string[] } & Record<string, new () => Described>
  }
  const listed: Record<string, ListedExchange> = {}
  for (const id of ccxt.exchanges.toSorted()) {
    const exchange = new (ccxt[id] as new () => Described)()
    const hasBooks = exchange.has.fetchOrderBook === true
    const hasCandles = exchange.has.fetchOHLCV === true
    const hosts = hostsOf(exchange)
    if (hosts.length === 0 || !(hasBooks || hasCandles)) continue
    listed[id] = { name: exchange.name, hosts, hasBooks, hasCandles }
  }
  return listed
}

function hostsOf({ urls: { api }, hostname = '' }: Described): string[] {
  const texts: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value.replaceAll('{hostname}', hostname))
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect)
  }
  collect(api)
  const hosts = texts.flatMap((text) =>
    text.startsWith('https://') && URL.canParse(text) ? [new URL(text).host] : [],
  )
  return [...new Set(hosts)].toSorted()
}
