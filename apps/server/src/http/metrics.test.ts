import { expect, it } from 'vitest'
import { PrometheusMetrics } from './metrics.ts'

it('counts requests and attempts of jobs by their labels, in cumulative buckets', async () => {
  const metrics = new PrometheusMetrics()
  for (const milliseconds of [0.4, 3, 70_000]) metrics.observe('listVenues', 200, milliseconds)
  metrics.observeJob('VENUE_INDEX', 'COMPLETED', 900)
  metrics.observeJob('VENUE_INDEX', 'RETRIED', 40)
  const text = await metrics.print()
  const requests = 'liquidity_http_request_seconds'
  const labels = 'operation="listVenues",status="200"'
  expect(text).toContain(`${requests}_bucket{${labels},le="0.001"} 1\n`)
  expect(text).toContain(`${requests}_bucket{${labels},le="5"} 2\n`)
  expect(text).toContain(`${requests}_bucket{${labels},le="+Inf"} 3\n`)
  expect(text).toContain(`${requests}_sum{${labels}} 70.0034\n`)
  expect(text).toContain(
    'liquidity_job_seconds_bucket{kind="VENUE_INDEX",outcome="COMPLETED",le="1"} 1',
  )
  expect(text).toContain('liquidity_job_seconds_count{kind="VENUE_INDEX",outcome="RETRIED"} 1')
  expect(text).toMatch(/^process_cpu_seconds_total /m)
})

it('reports the event loop delay since the previous scrape', async () => {
  const metrics = new PrometheusMetrics()
  const longest = async () =>
    Number(/^nodejs_eventloop_lag_max_seconds (.*)$/m.exec(await metrics.print())?.[1])
  await longest()
  const turn = () => new Promise((done) => setTimeout(done, 20))
  await turn()
  const until = performance.now() + 120
  while (performance.now() < until);
  await turn()
  expect(await longest()).toBeGreaterThan(0.05)
})
