import { expect, it } from 'vitest'
import { endpointFault } from './endpoint-fault.ts'

const config = { outboundAllow: ['10.0.0.7:8545', '[fd00::7]:443'] }

it.each([
  ['https://hooks.example.com/in', null],
  ['https://8.8.8.8/in', null],
  ['http://10.0.0.7:8545/', null],
  ['https://[fd00::7]/', null],
  [
    'https://10.0.0.7:8546/',
    /public address, got one that is private; .*OUTBOUND_ALLOW=10\.0\.0\.7:8546/,
  ],
  ['https://127.1/', /loopback/],
  ['https://[::1]/', /loopback/],
  ['https://[::ffff:169.254.169.254]/', /public address/],
  ['https://169.254.169.254/latest', /linkLocal/],
  ['http://hooks.example.com/in', /must be an https URL, got http/],
  ['https://user:secret@hooks.example.com/', /user information/],
  ['https://hooks.example.com/#part', /fragment/],
  ['hooks.example.com', /must be a URL/],
])('judges %s', (url, fault) => {
  const found = endpointFault(url, config)
  if (fault === null) expect(found).toBe(null)
  else expect(found).toMatch(fault)
})
