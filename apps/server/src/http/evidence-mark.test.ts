import { expect, test } from 'vitest'
import { withEvidenceMark } from './evidence-mark.ts'

const markOf = (body: string | null, status = 200) =>
  withEvidenceMark({ status, headers: { etag: '"1"' }, body }).headers['evidence-mark']

test('answers with evidence of test networks are marked, others are left alone', () => {
  expect(markOf('{"data":{"pair":{"chainId":31337}}}')).toBe('SIMULATED;chains="31337"')
  expect(markOf('{"data":[{"chainId":11155111},{"asset":"eip155:97/slip44:60"}],"meta":{}}')).toBe(
    'SIMULATED;chains="97 11155111"',
  )
  expect(markOf('{"data":{"pair":{"chainId":1}}}')).toBeUndefined()
  expect(markOf(null, 304)).toBeUndefined()
  expect(markOf('{"error":{"chainId":31337}}', 409)).toBeUndefined()
})
