import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { startProduct } from '../start-product.ts'
import { recordVenue } from './recorded-venue.ts'

/** The product, five organizations, and a recorded market in the first. */
const { service, callers } = await startProduct(5)
const recorded = await recordVenue(service.services, callers[0]?.organizationId ?? '')

/** Tells the delay of the event loop since it was last asked, in milliseconds. */
const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
const probe = createServer((_request, response) => {
  const delays = { p99: delay.percentile(99) / 1e6, longest: delay.max / 1e6 }
  delay.reset()
  response.end(JSON.stringify(delays))
})
await new Promise<void>((done) => {
  probe.listen(0, '127.0.0.1', done)
})
const address = probe.address()
process.stdout.write(
  `${JSON.stringify({
    baseUrl: service.baseUrl,
    probePort: typeof address === 'object' && address ? address.port : 0,
    callers,
    recorded,
  })}\n`,
)
