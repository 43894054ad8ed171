import { expect, it } from 'vitest'
import { readingOf } from './sample.ts'

const metrics = `# TYPE process_open_fds gauge
process_open_fds 52
nodejs_eventloop_lag_p99_seconds 0.0125
process_open_fds_more 7
`

it('reads a series by its full name, and names missing ones', () => {
  expect(readingOf('process_open_fds', metrics)).toBe(52)
  expect(readingOf('nodejs_eventloop_lag_p99_seconds', metrics)).toBe(0.0125)
  expect(() => readingOf('process_open', metrics)).toThrow('process_open is not told')
})
