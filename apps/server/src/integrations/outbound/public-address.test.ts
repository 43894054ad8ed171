import { describe, expect, it } from 'vitest'
import { refusedRange } from './public-address.ts'

describe('refusedRange', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '203.0.114.1',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.255.255',
    '172.32.0.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
  ])('lets the public address %s pass', (address) => {
    expect(refusedRange(address)).toBeNull()
  })

  it.each([
    ['unspecified', '0.0.0.0'],
    ['unspecified', '::'],
    ['this network', '0.1.2.3'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['loopback', '::1'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['link-local and metadata', '169.254.169.254'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['metadata in carrier-grade NAT', '100.100.100.200'],
    ['metadata among public addresses', '168.63.129.16'],
    ['protocol assignments', '192.0.0.192'],
    ['documentation', '192.0.2.1'],
    ['documentation', '2001:db8::1'],
    ['benchmarking', '198.18.0.1'],
    ['multicast', '224.0.0.1'],
    ['multicast', 'ff02::1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unique local and metadata', 'fd00:ec2::254'],
    ['site-local', 'fec0::1'],
    ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
    ['IPv4-mapped in hex', '::ffff:7f00:1'],
    ['IPv4-mapped and public', '::ffff:8.8.8.8'],
    ['IPv4-compatible', '::7f00:1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['local NAT64', '64:ff9b:1::7f00:1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['not yet given to anyone', '4000::1'],
    ['a name', 'localhost'],
    ['nothing', ''],
  ])('refuses %s: %s', (_name, address) => {
    expect(refusedRange(address)).not.toBeNull()
  })
})
