/**
 * Prints `src/integrations/exchanges/exchanges.json`: the exchanges of ccxt with public books or candles, and the hosts of their
 * public interfaces. The service allows requests to these hosts only.
 *
 *     node apps/server/bin/print-exchanges.ts
 */
import { writeFileSync } from 'node:fs'
import { listExchanges } from '../src/integrations/exchanges/list-exchanges.ts'

const file = new URL('../src/integrations/exchanges/exchanges.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(await listExchanges(), null, 2)}\n`)
