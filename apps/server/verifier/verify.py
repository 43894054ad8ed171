#!/usr/bin/env python3
"""Verifies the bundle of a liquidity passport offline: a second verifier, written from
docs/methodology/passport-verification.md, with nothing but the standard library.

    python3 verify.py BUNDLE.zip [--issuer-key HEX] [--known-checkpoint FILE] [--log-key NAME+ID+KEY]
                                 [--witness NAME+ID+KEY] [--at TIME] [--rpc URL] [--json]

Prints PASS, FAIL, NOT_CHECKED or ASSERTED for each check, and three answers. Exit status: 0 no check failed, 1 a check
failed, 2 wrong options or an unreadable file.
"""
import base64, binascii, bisect, hashlib, json, re, struct, sys, unicodedata, urllib.request
from datetime import datetime, timezone


class Skip(Exception):
    # A check that cannot be made. `missing` is its source and its name; None is a statement without proof.
    def __init__(self, why, missing):
        super().__init__(why)
        self.missing = missing


def skip(why, what=None):
    raise Skip(why, ('BUNDLE', what or why))


def ask(why, option):
    raise Skip(why, ('READER', option))


def withhold(why, what):
    raise Skip(why, ('ISSUER', what))


def assert_only(why):
    raise Skip(why, None)


def must(holds, why):
    if not holds:
        raise ValueError(why)


def sha(*parts):
    return hashlib.sha256(b''.join(parts)).digest()


# What a bundle has at most; beyond it a check would take as long as whoever made the bundle likes.
LIMITS = {'bytes': 64 * 2**20, 'observations': 64, 'rows': 64, 'ticks': 20000, 'positions': 10000, 'runs': 100000, 'managers': 1000, 'handovers': 1000, 'statements': 1000, 'revocations': 1000, 'bytesOfSignatures': 8192}


# JCS, narrowed to integers.
def canonical(value):
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int):
        must(abs(value) < 2**53, 'an integer beyond 2^53')
        return str(value)
    if isinstance(value, str):
        out = json.dumps(value, ensure_ascii=False).replace('\x7f', '\x7f')
        must(not any(0xD800 <= ord(c) <= 0xDFFF for c in value), 'a lone surrogate')
        return out
    if isinstance(value, list):
        return '[' + ','.join(map(canonical, value)) + ']'
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode('utf-16-be'))
        return '{' + ','.join(canonical(n) + ':' + canonical(value[n]) for n in names) + '}'
    raise ValueError('not an integer')


def D(tag, value):
    return ('liquidity-os/%s\n%s' % (tag, canonical(value))).encode()


def H(tag, value):
    return '0x' + sha(D(tag, value)).hex()


def unique(pairs):
    must(len({name for name, _ in pairs}) == len(pairs), 'a member twice')
    return dict(pairs)


def parse(data):
    value = json.loads(data.decode('utf-8'), object_pairs_hook=unique)
    must(canonical(value).encode() == data, 'not in canonical form')
    return value


def without(value, *names):
    return {name: one for name, one in value.items() if name not in names}


def b64(text, length):
    data = base64.b64decode(text, validate=True)
    must(base64.b64encode(data).decode() == text and len(data) == length, 'not base64 of its length')
    return data


def unhex(text):
    must(re.fullmatch(r'0x([0-9a-f]{2})*', text), 'not hex')
    return bytes.fromhex(text[2:])


# Ed25519, RFC 8032.
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
d = -121665 * pow(121666, P - 2, P) % P
I = pow(2, (P - 1) // 4, P)


def point(data):
    y = int.from_bytes(data, 'little')
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    u, v = (y * y - 1) % P, (d * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if v * x * x % P == -u % P:
        x = x * I % P
    if v * x * x % P != u or (x == 0 and sign):
        return None
    if x % 2 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, e = 2 * p[3] * q[3] * d % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, e - c, e + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def mul(s, p):
    q = (0, 1, 1, 0)
    while s:
        if s & 1:
            q = add(q, p)
        p, s = add(p, p), s >> 1
    return q


def equal(p, q):
    return (p[0] * q[2] - q[0] * p[2]) % P == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0


BASE = point(bytes([0x58] + [0x66] * 31))


def signed(key, message, signature):
    raw, sig = b64(key, 32), b64(signature, 64)
    a, r = point(raw), point(sig[:32])
    s = int.from_bytes(sig[32:], 'little')
    if a is None or r is None or s >= L:
        return False
    if any(equal(mul(8, one), (0, 1, 1, 0)) for one in (a, r)):
        return False
    k = int.from_bytes(hashlib.sha512(sig[:32] + raw + message).digest(), 'little') % L
    return equal(mul(s, BASE), add(r, mul(k, a)))


# What a pattern of JavaScript takes for a space; Python takes others.
SPACES = '\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'


def note_lines(text, lines):
    must(not any(one < ' ' and one != '\n' for one in text + ''.join(lines)), 'a note has no control characters')
    for line in lines:
        parts = re.fullmatch(r'— ([^%s+]+) ([A-Za-z0-9+/]+=*)' % SPACES, line)
        must(parts, 'a line is no signature')
        whose, encoded = parts.groups()
        raw = base64.b64decode(encoded, validate=True)
        must(base64.b64encode(raw).decode() == encoded and len(raw) > 4, 'not base64')
        yield whose, raw[:4], raw[4:]


def note_key_id(name, kind, key):
    return sha(name.encode() + b'\n' + bytes([kind]), b64(key, 32))[:4]


def note_signed(text, lines, name, key):
    key_id = note_key_id(name, 1, key)
    own = [raw for whose, named, raw in note_lines(text, lines) if whose == name and named == key_id]
    return len(own) == 1 and signed(key, text.encode(), base64.b64encode(own[0]).decode())


def cosigned(text, lines, witness):
    # c2sp.org/tlog-cosignature, of a key that is given as c2sp.org/signed-note writes it.
    name, key_id, key = verifier_key(witness, 4)
    own = [line for whose, named, line in note_lines(text, lines) if whose == name and named.hex() == key_id]
    if not own:
        skip('%s has not cosigned this head' % name, 'a cosignature of the witness')
    at = int.from_bytes(own[0][:8], 'big')
    message = 'cosignature/v1\ntime %d\n%s' % (at, text)
    must(signed(key, message.encode(), base64.b64encode(own[0][8:]).decode()), 'the cosignature does not hold')
    return '%s saw this head' % name


def handover(note):
    text, _, below = note.rpartition('\n\n')
    head, origin, at, *more = text.split('\n')
    root = b64(more.pop(0), 32) if head == 'liquidity-os/log-key-handover/v2' else None
    must(root is not None or head == 'liquidity-os/log-key-handover/v1', 'another handover')
    old, new = more
    return text, below, origin, at, root, old, new


def verifier_key(given, kind):
    # A verifier key of notes: NAME+ID+KEY. A base64 key can contain a plus sign.
    parts = re.fullmatch(r'([^+]+)\+([0-9a-f]{8})\+(.+)', given)
    must(parts, 'a key is given as NAME+ID+KEY of Ed25519')
    name, key_id, encoded = parts.groups()
    raw = b64(encoded, 33)
    must(raw[0] == kind, 'a key is given as NAME+ID+KEY of Ed25519')
    key = base64.b64encode(raw[1:]).decode()
    must(note_key_id(name, kind, key).hex() == key_id, 'the id of a key that is given is of another')
    return name, key_id, key


def log_keys(log):
    # All keys of the chain, the first one first.
    notes = [handover(note) for note in log.get('handovers', [])]
    return [notes[0][5], *(one[6] for one in notes)] if notes else [log['publicKey']]


def log_key(log, size):
    known, last, in_force = [], 0, None
    for note in log.get('handovers', []):
        text, below, origin, at, _, old, new = handover(note)
        must(origin == log['name'], 'another handover')
        must(re.fullmatch('[1-9][0-9]{0,15}', at) and int(at) > last and old != new, 'no handover')
        must(not known or known[-1] == old, 'no chain of keys')
        for one in (old, new):
            must(note_signed(text + '\n', below[:-1].split('\n'), origin, one), 'not handed over')
        known, last = (known or [old]) + [new], int(at)
        in_force = new if last < size else in_force or old
    must(not known or log['publicKey'] in known, 'no key of the log vouched for this one')
    return in_force or log['publicKey']


def fingerprint(key):
    return sha(b64(key, 32)).hex()


# Keccak-256.
def keccak(data):
    mask, rate = 2**64 - 1, 136
    rot = lambda x, n: ((x << n) | (x >> (64 - n))) & mask if n else x
    pad = bytearray(data) + bytearray(rate - len(data) % rate)
    pad[len(data)] |= 1
    pad[-1] |= 0x80
    a = [0] * 25
    for at in range(0, len(pad), rate):
        for i in range(rate // 8):
            a[i] ^= struct.unpack_from('<Q', pad, at + 8 * i)[0]
        lfsr = 1
        for _ in range(24):
            c = [a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20] for x in range(5)]
            for x in range(5):
                e = c[(x + 4) % 5] ^ rot(c[(x + 1) % 5], 1)
                for y in range(0, 25, 5):
                    a[x + y] ^= e
            x, y, current = 1, 0, a[1]
            for t in range(24):
                x, y = y, (2 * x + 3 * y) % 5
                current, a[x + 5 * y] = a[x + 5 * y], rot(current, (t + 1) * (t + 2) // 2 % 64)
            for y in range(0, 25, 5):
                row = a[y:y + 5]
                for x in range(5):
                    a[y + x] = row[x] ^ (~row[(x + 1) % 5] & mask & row[(x + 2) % 5])
            for j in range(7):
                lfsr = ((lfsr << 1) ^ ((lfsr >> 7) * 0x71)) % 256
                if lfsr & 2:
                    a[0] ^= 1 << ((1 << j) - 1)
    return b''.join(struct.pack('<Q', a[i]) for i in range(4))


# The container.
def read_zip(data):
    files, central, at, parts, last = {}, [], 0, [], None
    while data[at:at + 4] == b'PK\x03\x04':
        size, length = struct.unpack_from('<I', data, at + 18)[0], struct.unpack_from('<H', data, at + 26)[0]
        path = data[at + 30:at + 30 + length]
        content = data[at + 30 + length:at + 30 + length + size]
        common = struct.pack('<5H3I2H', 20, 0x800, 0, 0, 0x21, binascii.crc32(content), len(content), len(content), len(path), 0)
        parts += [b'PK\x03\x04', common, path, content]
        central.append(b'PK\x01\x02' + struct.pack('<H', 20) + common + bytes(10) + struct.pack('<I', at) + path)
        name = path.decode()
        must(last is None or last < name, 'names are not in order')
        files[name], last = content, name
        at += 30 + length + size
    directory = b''.join(central)
    end = b'PK\x05\x06' + struct.pack('<4H2IH', 0, 0, len(files), len(files), len(directory), at, 0)
    must(b''.join(parts) + directory + end == data, 'the container is not the one that its files make')
    return files


def node(a, b):
    return sha(b'\x01', a, b)


def root(leaves):
    if not leaves:
        return sha()
    if len(leaves) == 1:
        return sha(b'\x00', leaves[0])
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return node(root(leaves[:k]), root(leaves[k:]))


def climb(leaf, index, size, path):
    must(0 <= index < size, 'no such leaf')
    own, last = sha(b'\x00', leaf), size - 1
    for sibling in path:
        must(last > 0, 'the path is too long')
        if index % 2 or index == last:
            own = node(sibling, own)
            while index % 2 == 0 and index:
                index, last = index // 2, last // 2
        else:
            own = node(own, sibling)
        index, last = index // 2, last // 2
    must(last == 0, 'the path is too short')
    return own


# Pools.
FACTORS = [int(one, 16) for one in '''fffcb933bd6fad37aa2d162d1a594001 fff97272373d413259a46990580e213a
fff2e50f5f656932ef12357cf3c7fdcc ffe5caca7e10e4e61c3624eaa0941cd0 ffcb9843d60f6159c9db58835c926644
ff973b41fa98c081472e6896dfb254c0 ff2ea16466c96a3843ec78b326b52861 fe5dee046a99a2a811c461f1969c3053
fcbe86c7900a88aedcffc83b479aa3a4 f987a7253ac413176f2b074cf7815e54 f3392b0822b70005940c7a398e4b70f3
e7159475a2c29b7443b29c7fa6e889d9 d097f3bdfd2022b8845ad8f792aa5825 a9f746462d870fdf8a65dc1f90e061e5
70d869a156d2a1b890bb3df62baf32f7 31be135f97d08fd981231505542fcfa6 9aa508b5b7a84e1c677de54f3e99bc9
5d6af8dedb81196699c329225ee604 2216e584f5fa1ea926041bedfe98 48a170391f7dc42444e8fa2'''.split()]
MILLION = 10**6


def up(a, b):
    return -(-a // b)


def sqrt_at(tick):
    ratio = 1 << 128
    for bit, factor in enumerate(FACTORS):
        if abs(tick) >> bit & 1:
            ratio = ratio * factor >> 128
    return up((2**256 - 1) // ratio if tick > 0 else ratio, 1 << 32)


def tick_at(price):
    low, high = -887272, 887272
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if sqrt_at(middle) <= price else (low, middle - 1)
    return low


def swap3(pool, down, amount):
    fee, spacing = pool['feePips'], pool['tickSpacing']
    price, tick, liquidity = int(pool['sqrtPriceX96']), pool['tick'], int(pool['liquidity'])
    ticks = {one['index']: int(one['liquidityNet']) for one in pool['ticks']}
    order = sorted(ticks)
    limit = sqrt_at(-887272) + 1 if down else sqrt_at(887272) - 1
    left, out = amount, 0
    a0 = lambda a, b, r: (up(up((liquidity << 96) * (b - a), b), a) if r else (liquidity << 96) * (b - a) // b // a)
    a1 = lambda a, b, r: (up(liquidity * (b - a), 1 << 96) if r else liquidity * (b - a) >> 96)
    while left and price != limit:
        word = tick // spacing
        if down:
            edge = max((word >> 8 << 8) * spacing, -887272)
            at = bisect.bisect_right(order, tick) - 1
            inside = at >= 0 and order[at] >= edge
        else:
            edge = min(((word + 1) | 255) * spacing, 887272)
            at = bisect.bisect_right(order, tick)
            inside = at < len(order) and order[at] <= edge
        to = order[at] if inside else edge
        goal = sqrt_at(to)
        target = max(goal, limit) if down else min(goal, limit)
        start = price
        if liquidity == 0:
            price = target
        else:
            net = left * (MILLION - fee) // MILLION
            cost = a0(target, price, True) if down else a1(price, target, True)
            if net >= cost:
                new, used, paid = target, cost, up(cost * fee, MILLION - fee)
            else:
                n = liquidity << 96
                if not down:
                    new = price + (net << 96) // liquidity
                elif n + net * price < 2**256:
                    new = up(n * price, n + net * price)
                else:
                    new = up(n, n // price + net)
                used = a0(new, price, True) if down else a1(price, new, True)
                paid = left - used
            out += a1(new, price, False) if down else a0(price, new, False)
            left -= used + paid
            price = new
        if price == goal:
            if inside:
                liquidity += -ticks[to] if down else ticks[to]
            tick = to - 1 if down else to
        elif price != start:
            tick = tick_at(price)
    return None if left else out


def swap2(pool, down, amount):
    x, y = int(pool['reserve0']), int(pool['reserve1'])
    x, y = (x, y) if down else (y, x)
    n, e = int(pool['fee']['numerator']), int(pool['fee']['denominator'])
    if x == 0 or y == 0 or x + amount >= 1 << 112:
        return None
    kept = amount * (e - n)
    return kept * y // (x * e + kept) or None


def pool_state(pool):
    why = 'the state is none that a pool can be in'
    atoms = lambda one: isinstance(one, str) and re.fullmatch('0|[1-9][0-9]{0,77}', one)
    if pool['kind'] == 'UNISWAP_V2':
        must(all(map(atoms, (pool['reserve0'], pool['reserve1'], pool['fee']['numerator'], pool['fee']['denominator']))), why)
        return must(int(pool['fee']['numerator']) < int(pool['fee']['denominator']), why)
    whole = lambda one, least, most: type(one) is int and least <= one <= most
    must(whole(pool['feePips'], 0, MILLION - 1) and whole(pool['tickSpacing'], 1, 887272) and whole(pool['tick'], -887272, 887272), why)
    must(atoms(pool['sqrtPriceX96']) and atoms(pool['liquidity']) and isinstance(pool['ticks'], list), why)
    must(sqrt_at(-887272) <= int(pool['sqrtPriceX96']) < sqrt_at(887272), why)
    if len(pool['ticks']) > LIMITS['ticks']:
        skip('of so many ticks no quote is made here')
    last = -887273
    for one in pool['ticks']:
        must(whole(one['index'], last + 1, 887272) and atoms(re.sub('^-', '', one['liquidityNet'])), why)
        last = one['index']


def mid_of(pool, base0):
    # Quote atoms per base atom.
    if pool['kind'] == 'UNISWAP_V3':
        num, den = int(pool['sqrtPriceX96'])**2, 1 << 192
    else:
        num, den = int(pool['reserve1']), int(pool['reserve0'])
    return (num, den) if base0 else (den, num)


def half_even(dividend, divisor):
    below, rest = divmod(dividend, divisor)
    return below + (2 * rest > divisor or 2 * rest == divisor and below % 2)


def slippage(pool, base0, size):
    kinds = {'UNISWAP_V3': swap3, 'UNISWAP_V2': swap2}
    if pool['kind'] not in kinds:
        assert_only('pools of kind %s are not written here' % pool['kind'])
    pool_state(pool)
    swap = kinds[pool['kind']]
    num, den = mid_of(pool, base0)
    clamp = lambda pips: max(0, min(MILLION, pips))
    bought = swap(pool, not base0, size)
    worth = bought * num // den if bought else 0
    base = size * den // num
    sold = swap(pool, base0, base) if base else None
    value = base * num // den
    return (clamp(up(size * MILLION, worth) - MILLION) if worth else MILLION,
            clamp(MILLION - sold * MILLION // value) if sold is not None and value else MILLION)


# How far ahead of the service's the clock of an issuer may be when a passport is published.
CLOCK_SECONDS = 60


def seconds(text):
    return int(datetime.fromisoformat(text.replace('Z', '+00:00')).astimezone(timezone.utc).timestamp())


def is_time(text):
    if not re.fullmatch(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ', text, re.A):
        return False
    try:
        return bool(datetime.strptime(text, '%Y-%m-%dT%H:%M:%SZ'))
    except ValueError:
        return False


# Members of the payload: what each must look like; those that may be absent end with "?".
def shape(members):
    def holds(value):
        return (isinstance(value, dict) and all(name in members or name + '?' in members for name in value)
                and all(item(value[name.rstrip('?')]) if name.rstrip('?') in value else name[-1] == '?' for name, item in members.items()))
    return holds


def list_of(item, most=None, least=0):
    return lambda value: isinstance(value, list) and least <= len(value) <= (len(value) if most is None else most) and all(map(item, value))


def matches(pattern):
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def null_or(item):
    return lambda value: value is None or item(value)


def just(wanted):
    return lambda value: isinstance(value, str) and value == wanted


def texts(*names):
    return {name: text_ for name in names}


text_ = lambda value: isinstance(value, str)
flag = lambda value: isinstance(value, bool)
count = lambda value: type(value) is int and value >= 0
pips = lambda value: count(value) and value <= MILLION
hash_ = matches('0x[0-9a-f]{64}')
atoms = matches('0|[1-9][0-9]{0,77}')
time_ = lambda value: isinstance(value, str) and is_time(value)
ref = shape({'id': text_, 'resourceVersion': hash_})
counted = shape({'count': count, 'root': hash_})
LIMIT_MEMBERS = {
    'level': count, 'maximumAmountPerTransaction': atoms, 'maximumDailyTurnover': atoms, 'maximumSlippagePips': pips,
    'approvedContracts': list_of(text_), 'approvedAssets': list_of(text_), 'approvedAdapterIds': list_of(text_),
    'minimumSecondsBetweenActions': count, 'oracleMaximumAgeSeconds': count, 'expiresAt': time_, 'controlEpoch': atoms,
    'publicMempoolFallbackAllowed': flag, 'minimumPriceX18?': atoms, 'maximumPriceX18?': atoms,
}
REGISTRY_MEMBERS = ('resultsRegistryProviderId', 'resultsRegistryProviderResourceVersion', 'resultsRegistryProviderAttestationHash', 'resultsRegistryCommitmentHash', 'resultsRegistryReceipt')
is_passport = shape({
    'passportVersion': just('liquidity-passport-v1'), 'artifactRendererVersion': matches('liquidity-passport-artifacts-v[12]'), 'signatureAlgorithm': just('Ed25519'),
    **texts('signerProviderId', 'slug', 'vaultId', 'issuerName', 'signature', 'marketQualityScoreId'), 'signerKeyResourceVersion': hash_, 'contentHash': hash_,
    'reportBrand?': shape({**texts('partnerId', 'name', 'accentColor'), 'logoContentHash?': hash_, 'sourceBinding': shape({
        **texts('partnerOrganizationId', 'consentId'), 'partnerConfigurationResourceVersion': hash_, 'partnerConfigurationArtifactHash': hash_, 'consentResourceVersion': hash_, 'consentArtifactHash': hash_})}),
    'generatedAt': time_, 'validUntil': time_,
    'usableDepthByTradeSize': list_of(shape({'tradeSizeQuote': atoms, 'buySlippagePips': pips, 'sellSlippagePips': pips}), LIMITS['rows'], 1),
    'historicalReliabilityPips': pips, 'policyCompliancePips': null_or(pips), 'policyLimits?': shape(LIMIT_MEMBERS),
    'reconciledPositionCount': count, 'majorIncidentCount': count, 'dataFreshnessSeconds': count,
    'treasuryOwnedLiquidityQuote?': atoms, 'rentedLiquidityQuote?': atoms, 'externalManagerExposureQuote?': atoms, 'externalManagerNames?': list_of(text_),
    'incidentDetails?': shape({'v1IncidentEvidenceHashes': list_of(hash_), 'anomalies': list_of(shape({**texts('detectorVersion', 'kind', 'severity'), 'artifactHash': hash_}))}),
    'disclosure': shape({name: flag for name in ('showTreasuryOwnership', 'showExternalManagerNames', 'showIncidentDetails', 'showPolicyLimits')}),
    'reportHashes': list_of(hash_, None, 1),
    'sourceBindings': shape({
        'bindingsVersion': just('liquidity-passport-sources-v1'), 'vault': ref, 'controlEpoch': atoms, 'marketQualityScore': ref, 'policy': null_or(ref), 'reconciliation': null_or(ref),
        'venueObservations': list_of(ref, LIMITS['observations'], 1), 'mandates': list_of(ref), 'receipts': counted, 'anomalies': counted, 'ledgerEntries': counted,
        'reports': list_of(shape({'hash': hash_, 'source': shape({'resourceType': text_, 'id': text_, 'resourceVersion': hash_})})),
        'signerProvider': ref, 'adapterReleaseHash': null_or(hash_), 'engineVersion': text_,
        'blocks': list_of(shape({'chainId': count, 'number': count, 'hash': hash_, 'timestamp': time_}), None, 1),
        'keys': shape({'service': text_, 'log': text_, 'registry': null_or(text_)})}),
    'resultsRegistryProviderId?': text_, 'resultsRegistryProviderResourceVersion?': hash_, 'resultsRegistryProviderAttestationHash?': hash_, 'resultsRegistryCommitmentHash?': hash_,
    'resultsRegistryReceipt?': shape({
        'receiptVersion': just('liquidity-passport-results-registry-receipt-v1'), **texts('providerId', 'signature'), 'issuedAt': time_,
        'providerResourceVersion': hash_, 'providerAttestationHash': hash_, 'passportSubjectHash': hash_, 'commitmentHash': hash_}),
    'supersedesPassportHash?': hash_,
})
named_key = shape({'publicKey': text_, 'providerId': text_, 'resourceVersion': hash_})
is_keys = shape({
    'issuer': named_key, 'service': list_of(shape(texts('keyId', 'publicKey'))), 'registry?': named_key,
    # B7 reads the handovers.
    'log': shape({**texts('name', 'publicKey'), 'handovers?': lambda value: True}),
    'authorization?': shape({'chainId': count, 'organizationHash': hash_, **texts('safe', 'version', 'issuedAt', 'expiresAt', 'signatures')}),
})
nodes = list_of(matches('0x([0-9a-f]{2})+'))
is_chain_proof = shape({
    'chainId': count, 'number': count, 'hash': hash_, 'timestamp': time_, 'header': text_,
    'accounts': list_of(shape({'address': text_, 'codeHash': hash_, 'accountProof': nodes, 'storage': list_of(shape({'key': hash_, 'value': hash_, 'proof': nodes}))}), None, 1),
})
control_ = shape({'evidence': ref, 'until': time_})
natural = matches('[1-9][0-9]{0,199}')
# Evidence of claims that no bound record carries.
is_claims = shape({
    'claimsVersion': just('liquidity-claims-v1'), 'reconciliation': null_or(shape({'id': text_, 'resourceVersion': hash_, 'asOf': time_})),
    'sets': shape({'receipts': hash_, 'anomalies': hash_, 'ledgerEntries': hash_}),
    'managers?': shape({'mandates': list_of(shape({'mandate': ref, 'name': text_}), LIMITS['managers']), 'custodians': list_of(text_, LIMITS['managers'])}),
    'treasury?': shape({
        'base': text_, 'quote': text_, 'price': shape({'num': natural, 'den': natural}),
        'owned': shape({'positions': shape({'base': atoms, 'quote': atoms}), 'quoteBalance': atoms, 'ownTokens': shape({'base': atoms, 'realizableQuote': null_or(atoms)})}),
        'idle': list_of(shape({'entry': ref, 'base': atoms, 'quote': atoms, 'control': control_}), LIMITS['positions']),
        'rentedObservations': list_of(ref, LIMITS['observations']),
        'lines': list_of(shape({'assetKey': text_, 'ledger': atoms, 'custody': null_or(atoms), 'chain': null_or(atoms)}), LIMITS['positions'])}),
})
# Samples behind the reliability.
is_samples = shape({
    'samplesVersion': just('liquidity-samples-v1'), 'usableSlippagePips': pips,
    'runs': list_of(shape({'from': count, 'to': count, 'samples': count, 'isUsable': flag, 'worstSlippagePips': pips}), LIMITS['runs']),
})
# Positions behind the owned liquidity.
is_positions = shape({
    'positionsVersion': just('liquidity-positions-v1'), 'quote': text_,
    'positions': list_of(shape({
        'entry': ref, **texts('claim', 'container'), 'quote': atoms, 'block': shape({'chainId': count, 'number': count, 'hash': hash_, 'timestamp': time_}),
        'control': control_}), LIMITS['positions']),
})


def same(a, b):
    # Python holds True for 1; JSON does not.
    return canonical(a) == canonical(b)


def verify(data, issuer_key=None, witness=None, at=None, known_checkpoint=None, log_key_=None, block_hashes=None):
    # Lines of code, result and words, each with what is missing for it.
    lines, state = [], {}

    def check(code, what, run):
        try:
            lines.append((code, 'PASS', '%s: %s' % (what, run() or 'holds'), None))
            return True
        except Skip as why:
            lines.append((code, 'ASSERTED' if why.missing is None else 'NOT_CHECKED', '%s: %s' % (what, why), why.missing))
        except Exception as why:
            lines.append((code, 'FAIL', '%s: %s' % (what, why), None))
        return False

    def file(path):
        must(path in files, '%s is not in the bundle' % path)
        return files[path]

    def optional(path):
        # Withheld by the issuer, or what could not be read.
        if path not in files:
            skip('%s is not in the bundle' % path, path)
        return files[path]

    files = {}

    def b1():
        must(len(data) <= LIMITS['bytes'], 'is larger than %d bytes' % LIMITS['bytes'])
        files.update(read_zip(data))
        manifest = parse(files['manifest.json'])
        must(set(manifest) == {'files'} and set(manifest['files']) == set(files) - {'manifest.json'}, 'names other files')
        for path, content in files.items():
            must(path == 'manifest.json' or manifest['files'][path] == sha(content).hex(), path + ' has another hash')

    if not check('B1', 'manifest', b1):
        return lines

    def known_paths():
        pattern = r'(passport|keys|artifacts|revocations|registry-receipt|manifest)\.json|README\.txt|verify\.mjs|log/(passport\.tlog-proof|event\.json|(consistency|handovers)\.json)|sources/\w+\.json|inputs/\w+\.json|chain/\d+\.json|receipts/receipts\.json'
        for path in files:
            must(re.fullmatch(pattern, path, re.A), path + ' is no file of a bundle')

    check('B1', 'files', known_paths)

    def b2():
        state['p'] = parse(file('passport.json'))
        must(is_passport(state['p']), 'passport.json is no passport')

    if not check('B2', 'canonical form', b2):
        return lines
    p = state['p']
    s = p['sourceBindings']
    check('B3', 'contentHash', lambda: must(H('liquidity-passport/v1', without(p, 'contentHash', 'signature')) == p['contentHash'], 'is of another payload'))

    def b4():
        state['k'] = k = parse(file('keys.json'))
        must(is_keys(k), 'keys.json has another form')
        for one in k['service']:
            must(fingerprint(one['publicKey'])[:16] == one['keyId'], 'a key has another id')
        must(k['issuer']['providerId'] == p['signerProviderId'] and k['issuer']['resourceVersion'] == p['signerKeyResourceVersion'], 'another signer')
        must(signed(k['issuer']['publicKey'], D('liquidity-passport-signature/v1', without(p, 'signature')), p['signature']), 'is not of this key')

    if not check('B4', 'signature', b4):
        return lines
    keys = state['k']

    def owners_signed():
        return authorized(keys, p, parse(file('sources/%s.json' % s['vault']['id'])))

    def claims_hash():
        # The hash of the claim evidence that the event of the publication names, if it names any.
        return parse(file('log/event.json'))['payload'].get('claimsHash')

    def b5():
        if issuer_key is None:
            ask(owners_signed() if 'authorization' in keys else 'give --issuer-key', '--issuer-key')
        must(fingerprint(keys['issuer']['publicKey']) == issuer_key.lower(), 'is not the one that you were given')
        if 'authorization' in keys:
            owners_signed()

    known = check('B5', 'key of the issuer', b5)

    def vouched():
        if not known:
            ask('holds; whose word that is rests on B5', '--issuer-key')

    def any_service(key_id):
        found = [one['publicKey'] for one in keys['service'] if one['keyId'] == key_id]
        must(found, 'keys.json has no key %s' % key_id)
        return found[0]

    def service(key_id):
        key = any_service(key_id)
        must(fingerprint(key) == s['keys']['service'], 'another key of the service')
        return key

    def b6():
        head, _, note = file('log/passport.tlog-proof').decode().partition('\n\n')
        first, extra, index, *path = head.split('\n')
        must(first == 'c2sp.org/tlog-proof@v1', 'no proof')
        encoded = re.fullmatch('extra ([A-Za-z0-9+/]+=*)', extra).group(1)
        leaf = base64.b64decode(encoded, validate=True)
        must(base64.b64encode(leaf).decode() == encoded, 'not base64')
        number = int(re.fullmatch('index (0|[1-9][0-9]{0,15})', index).group(1))
        event = parse(file('log/event.json'))
        must(H('event/v1', without(event, 'evidenceHash')) == event['evidenceHash'], 'the event has another hash')
        must(event['kind'] == 'passport.published' and event['payload']['contentHash'] == p['contentHash'], 'the event is of another passport')
        said = json.loads(leaf.decode().split('\n', 1)[1])
        must(D('proof-leaf/v1', said) == leaf and said['kind'] == 'EVENT' and said['subjectHash'] == event['evidenceHash'] and time_(said['loggedAt']), 'the leaf is of another event')
        text, _, below = note.rpartition('\n\n')
        origin, size, top, *more = (text + '\n').split('\n')
        must(more == [''] and note.endswith('\n') and re.fullmatch('0|[1-9][0-9]{0,15}', size), 'no checkpoint')
        must(climb(leaf, number, int(size), [b64(one, 32) for one in path]) == b64(top, 32), 'the path leads to another root')
        state['note'] = (text + '\n', origin, int(size), below[:-1].split('\n'))

    check('B6', 'inclusion', b6)

    def b7():
        text, origin, size, below = state['note']
        log = keys['log']
        must(log['name'] == origin and fingerprint(log['publicKey']) == s['keys']['log'], 'another log')
        must('handovers' not in log or isinstance(log['handovers'], list) and len(log['handovers']) <= LIMITS['handovers'], 'no list of at most %d handovers' % LIMITS['handovers'])
        at = log_key(log, size)
        state['handovers'] = [(int(one[3]), one[4]) for one in map(handover, log.get('handovers', []))]
        must(note_signed(text, below, origin, at), 'is not of this key, nor of one that follows from it')
        if log_key_ is None:
            return vouched()
        name, _, key = verifier_key(log_key_, 1)
        must(name == log['name'] and key in log_keys(log), 'no key of the log is the one that you gave, nor did that vouch for any')

    check('B7', 'signature of the log', b7)

    def b8():
        proof = parse(file('log/consistency.json'))
        must(shape({'fromSize': count, 'toSize': count, 'path': list_of(hash_, 64), 'fromRoot?': hash_})(proof), 'no proof')
        first, size, path = proof['fromSize'], proof['toSize'], [unhex(one) for one in proof['path']]
        must(1 <= first <= size and size == state['note'][2], 'the proof is of another head')
        top = b64(state['note'][0].split('\n')[2], 32)
        if 'fromRoot' in proof or claims_hash() is not None:
            continues(first, size, unhex(proof['fromRoot']), path, top)
        elif first == size:
            must(not path, 'a head needs no proof to itself')
        elif first & (first - 1):
            # The path begins below the earlier root, so its end is known without that root.
            must(path, 'the path is too short')
            late = continued(first, size, None, path)
            must(late == top, 'the path leads to another root')
        else:
            continued(first, size, bytes(32), path)
        if known_checkpoint is None:
            ask('give --known-checkpoint', '--known-checkpoint')
        text, _, below = (known_checkpoint.rstrip() + '\n').rpartition('\n\n')
        origin, known_size, known_root, *more = (text + '\n').split('\n')
        must(more == [''] and re.fullmatch('0|[1-9][0-9]{0,15}', known_size), 'no checkpoint')
        must(origin == state['note'][1], 'the known checkpoint is of another log')
        must(note_signed(text + '\n', below[:-1].split('\n'), keys['log']['name'], log_key(keys['log'], int(known_size))), 'the known checkpoint is not of its key')
        if int(known_size) == size:
            return must(b64(known_root, 32) == top, 'the log was forked: two roots of one size')
        if int(known_size) != first:
            ask('the known checkpoint is of %s leaves' % known_size, '--known-checkpoint of %d or %d leaves' % (first, size))
        continues(first, size, b64(known_root, 32), path, top)

    def continues(first, size, early, path, late):
        if first == size:
            return must(not path and early == late, 'a head needs no proof to itself')
        must(continued(first, size, early, path) == late, 'the path leads to another root')

    def continued(first, size, root, path):
        # RFC 9162, 2.1.4.2.
        path = list(path) if first & (first - 1) else [root] + list(path)
        at, last = first - 1, size - 1
        while at & 1:
            at, last = at >> 1, last >> 1
        early = late = path[0]
        for one in path[1:]:
            must(last, 'the path is too long')
            if at & 1 or at == last:
                early, late = sha(b'\x01', one, early), sha(b'\x01', one, late)
                while not at & 1 and at:
                    at, last = at >> 1, last >> 1
            else:
                late = sha(b'\x01', late, one)
            at, last = at >> 1, last >> 1
        must(last == 0, 'the path is too short')
        must(root is None or early == root, 'another log was handed over')
        return late

    check('B8', 'consistency', b8)

    rooted = [one for one in state.get('handovers', []) if one[1] is not None]

    def one_log():
        head = (state['note'][2], b64(state['note'][0].split('\n')[2], 32))
        proofs = parse(file('log/handovers.json'))
        must(isinstance(proofs, list) and len(proofs) == len(rooted), 'not one proof for each handover')
        for named, proof in zip(rooted, proofs):
            small, large = sorted([named, head])
            must(shape({'fromSize': count, 'toSize': count, 'path': list_of(hash_, 64)})(proof) and (proof['fromSize'], proof['toSize']) == (small[0], large[0]), 'of other heads')
            path = [unhex(one) for one in proof['path']]
            must(all(len(one) == 32 for one in path), 'not a path of hashes')
            must(len(path) <= 64 and (small == large and not path if small[0] == large[0] else continued(small[0], large[0], small[1], path) == large[1]), 'another log was handed over')

    def first_form():
        assert_only('they name no root: a head of before rests on the earlier key alone')

    if rooted:
        check('B8', 'the log is the one whose key was handed over', one_log)
    if len(state.get('handovers', [])) > len(rooted):
        check('B8', 'handovers of the first form', first_form)

    def b9():
        text, _, _, below = state['note']
        return cosigned(text, below, witness)

    if witness is not None:
        check('B9', 'witnesses', b9)

    def record(named):
        return parse(file('sources/%s.json' % named['id']))

    def hashes(one, named):
        must(H('record-payload/v1', one['payload']) == one['artifactHash'], 'the payload has another hash')
        must(H('record/v1', without(one, 'resourceVersion')) == one['resourceVersion'], 'the record has another hash')
        must(one['id'] == named['id'] and one['resourceVersion'] == named['resourceVersion'], 'another generation')

    def bound(named, read=file):
        if named is not None:
            hashes(parse(read('sources/%s.json' % named['id'])), named)

    def venue(one):
        named = record(one)['payload']['venue']
        hashes(record(named), named)

    disclosure = p['disclosure']
    claims_path, samples_path = 'inputs/claims.json', 'inputs/samples.json'

    def samples_hash():
        # The hash of the samples in the evidence of the score, if it names any.
        inputs = record(s['marketQualityScore'])['payload'].get('evidence', {}).get('inputs', [])
        return next((one['hash'] for one in inputs if one['name'] == 'samples'), None)

    check('B10', 'vault', lambda: bound(s['vault']))
    check('B10', 'score', lambda: bound(s['marketQualityScore']))
    for named in s['venueObservations']:
        check('B10', 'observation', lambda named=named: bound(named))
        check('B10', 'venue', lambda named=named: venue(named))
    check('B10', 'signer', lambda: bound(s['signerProvider']))

    def policy():
        if s['policy'] is not None and not disclosure['showPolicyLimits'] and 'sources/%s.json' % s['policy']['id'] not in files:
            return 'is withheld, and no figure rests on it'
        bound(s['policy'])

    check('B10', 'policy', policy)

    def claims():
        # Claim evidence; None for a publication of an earlier release.
        named = claims_hash()
        if named is None:
            return None
        must('0x' + sha(file(claims_path)).hex() == named, 'the log names other claim evidence')
        if 'claims' not in state:
            told = parse(file(claims_path))
            must(is_claims(told), claims_path + ' is no evidence of claims')
            state['claims'] = told
        return state['claims']

    def reconciliation():
        named, told = s['reconciliation'], claims()
        if told is not None:
            must((told['reconciliation'] and without(told['reconciliation'], 'asOf')) == named, 'the log names another reconciliation')
        if named is None:
            return 'none is bound'
        path = 'sources/%s.json' % named['id']
        if path in files:
            bound(named)
        elif told is None:
            skip('%s is not in the bundle' % path, 'the reconciliation')

    check('B10', 'reconciliation', reconciliation)
    check('B10', 'key of the signer', lambda: must(record(s['signerProvider'])['payload']['publicKeys'][0] == keys['issuer']['publicKey'] and s['signerProvider']['resourceVersion'] == p['signerKeyResourceVersion'], 'another key'))
    check('B10', 'score and reports', lambda: must(p['marketQualityScoreId'] == s['marketQualityScore']['id'] and p['vaultId'] == s['vault']['id'] and [one['hash'] for one in s['reports']] == p['reportHashes'] and record(s['vault'])['payload']['controlEpoch'] == s['controlEpoch'], 'others are bound'))

    def readings():
        # The accounts whose slots are proven, each with its block: the Safe, and the pools of the observations.
        vault = record(s['vault'])['payload']
        found = [(vault['snapshot'], vault['safeAddress'])]
        for one in s['venueObservations']:
            observed = record(one)['payload']
            found.append((observed['state']['at'], record(observed['venue'])['payload']['address']))
        return found

    def blocks_bound():
        for block, _ in readings():
            must(any(same([one['chainId'], one['number'], one['hash'], seconds(one['timestamp'])], [block['chainId'], block['number'], block['hash'], seconds(block['timestamp'])]) for one in s['blocks']), 'block %s is not bound' % block['number'])

    check('B10', 'blocks of the sources', blocks_bound)
    positions_path = 'inputs/positions.json'

    def positions_hash():
        # The hash of the positions that the event of the publication names, if it names any.
        return parse(file('log/event.json'))['payload'].get('positionsHash')

    sets = {'receipts': 'receipts/receipts.json', 'anomalies': 'sources/anomalies.json', 'ledgerEntries': 'sources/ledgerEntries.json'}

    def every_file():
        source = lambda one: 'sources/%s.json' % one['id']
        read = {'passport.json', 'keys.json', 'artifacts.json', 'revocations.json', 'manifest.json', 'README.txt', 'verify.mjs', 'sources/freshness.json', *sets.values(),
                'log/passport.tlog-proof', 'log/event.json', 'log/consistency.json', *map(source, (s['vault'], s['marketQualityScore'], s['signerProvider']))}
        read |= {source(one) for one in (s['policy'], s['reconciliation']) if one is not None}
        for one in s['venueObservations']:
            read |= {source(one), source(record(one)['payload']['venue']), 'inputs/%s.json' % one['id']}
        if rooted:
            read.add('log/handovers.json')
        if positions_hash() is not None:
            read.add(positions_path)
        if claims_hash() is not None:
            read.add(claims_path)
        if samples_hash() is not None:
            read.add(samples_path)
        if 'resultsRegistryReceipt' in p:
            read.add('registry-receipt.json')
        for path in files:
            must(path in read or path.startswith('chain/'), 'no check reads ' + path)

    check('B10', 'files', every_file)

    def brand():
        assert_only('the consent of the partner is bound by its hash, and not in the bundle')
    if 'reportBrand' in p:
        check('B10', 'brand', brand)
    disclosed = {'receipts': disclosure['showPolicyLimits'], 'anomalies': disclosure['showIncidentDetails'], 'ledgerEntries': disclosure['showTreasuryOwnership']}
    for name, path in sets.items():
        def set_(name=name, path=path):
            must(s[name]['count'] or s[name]['root'] == '0x' + sha().hex(), 'has a root but no records')
            found = parse(optional(path))
            must(isinstance(found, list), 'is no list')
            for one in found:
                if 'payload' in one:
                    hashes(one, one)
                else:
                    must(not disclosed[name], '%s is withheld against the disclosure' % one['id'])
                    must(shape({'artifactHash': hash_, 'createdAt': text_, 'id': text_})(one), 'a stub has other members')
            order = ['%s %s' % (one['createdAt'], one['id']) for one in found]
            must(all(a < b for a, b in zip(order, order[1:])), 'not in order')
            must(len(found) == s[name]['count'] and '0x' + root([unhex(one['artifactHash']) for one in found]).hex() == s[name]['root'], 'has another root')
            told = claims()
            if told is not None:
                stubs = [{key: one[key] for key in ('artifactHash', 'createdAt', 'id')} for one in found]
                return must('0x' + sha(canonical(stubs).encode()).hex() == told['sets'][name], 'the log names other ids or times')
            if any('payload' not in one for one in found):
                assert_only('ids and times of what is withheld are bound by nothing')
            return 'the root binds neither ids nor times' if found else None
        check('B10', name, set_)

    for named in s['venueObservations']:
        check('B11', 'state of ' + named['id'], lambda named=named: must(H('market-state/v1', parse(file('inputs/%s.json' % named['id']))) == record(named)['payload']['state']['snapshotHash'], 'is another than was observed'))

    def depth():
        pair = record(s['vault'])['payload']['pair']
        must(same(record(s['marketQualityScore'])['payload']['passportClaims']['usableDepthByTradeSize'], p['usableDepthByTradeSize']), 'is another than the score says')
        if len(s['venueObservations']) > 1:
            assert_only('of several venues together: orders are split, which is not written here')
        pool = parse(file('inputs/%s.json' % s['venueObservations'][0]['id']))
        must(isinstance(pool['kind'], str), 'is no state of a pool')
        for row in p['usableDepthByTradeSize']:
            found = slippage(pool, pair['base'].lower() < pair['quote'].lower(), int(row['tradeSizeQuote']))
            must(found == (row['buySlippagePips'], row['sellSlippagePips']), 'of %s is %s' % (row['tradeSizeQuote'], found))

    check('B11', 'depth', depth)

    def reliability():
        score = record(s['marketQualityScore'])['payload']
        must(same(score['passportClaims']['historicalReliabilityPips'], p['historicalReliabilityPips']), 'is another than the score says')
        named = samples_hash()
        if named is None:
            assert_only('as the score says; its samples are not in the bundle')
        must('0x' + sha(file(samples_path)).hex() == named, 'the score names other samples')
        told = parse(file(samples_path))
        must(is_samples(told), samples_path + ' is no list of samples')
        must(same(told['usableSlippagePips'], score.get('request', {}).get('usableSlippagePips', 20000)), 'the samples have another limit')
        last, end, total, usable = seconds(score['window']['from']) - 1, seconds(score['window']['to']), 0, 0
        for run in told['runs']:
            must(last < run['from'] <= run['to'] <= end, 'the samples are out of order')
            must(1 <= run['samples'] <= run['to'] - run['from'] + 1, 'a run has more samples than seconds')
            must(run['isUsable'] == (run['worstSlippagePips'] <= told['usableSlippagePips']), 'a run is on the other side of the limit')
            total += run['samples']
            usable += run['samples'] if run['isUsable'] else 0
            last = run['to']
        must(total > 0, 'there are no samples')
        must(half_even(usable * MILLION, total) == p['historicalReliabilityPips'], 'is another share by its samples')
        return '%d of %d samples are usable' % (usable, total)

    check('B11', 'reliability', reliability)

    def fresh():
        told = parse(file('sources/freshness.json'))
        must(shape({'scoreWindowEnd': time_, 'vaultSnapshot': time_, 'reconciliation?': time_})(told), 'has other members than three times')
        must(seconds(told['scoreWindowEnd']) == seconds(record(s['marketQualityScore'])['payload']['window']['to']), 'the score ends at another time')
        must(seconds(told['vaultSnapshot']) == seconds(record(s['vault'])['payload']['snapshot']['timestamp']), 'the vault was read at another time')
        must(('reconciliation' in told) == (s['reconciliation'] is not None), 'a reconciliation is bound or not')
        must(seconds(p['generatedAt']) - min(map(seconds, told.values())) == p['dataFreshnessSeconds'], 'is another age')
        if 'reconciliation' in told:
            logged = claims()
            if logged is None:
                assert_only('holds; the time of the reconciliation is bound by nothing')
            must(logged['reconciliation'] and logged['reconciliation']['asOf'] == told['reconciliation'], 'the log names another time of the reconciliation')

    check('B11', 'age of the sources', fresh)

    def compliance():
        told = parse(file('log/event.json'))['payload'].get('executions')
        if told is not None:
            must(shape({'compliant': count, 'violating': count, 'indeterminate': count})(told), 'the log counts no executions')
        if s['receipts']['count'] == 0:
            must(told is None or not any(told.values()), 'the log counts executions')
            return must(p['policyCompliancePips'] is None, 'nothing was executed, so there is no share')
        if told is not None:
            total = sum(told.values())
            must(p['policyCompliancePips'] == (MILLION * told['compliant'] // total if total else None), 'is another share by the log')
        found = parse(optional(sets['receipts']))
        if any('verdict' not in one.get('payload', {}) for one in found):
            withhold('the receipts are not disclosed', 'the receipts')
        verdicts = [one['payload']['verdict'] for one in found]
        counted = {one.lower(): verdicts.count(one) for one in ('COMPLIANT', 'VIOLATING', 'INDETERMINATE')}
        judged = sum(counted.values())
        must(p['policyCompliancePips'] == (MILLION * counted['compliant'] // judged if judged else None), 'is another share')
        must(told in (None, counted), 'the log counts other executions')

    check('B11', 'compliance', compliance)

    def limits():
        must(('policyLimits' in p) == (disclosure['showPolicyLimits'] and s['policy'] is not None), 'are shown or withheld against the disclosure')
        if 'policyLimits' in p:
            policy = record(s['policy'])['payload']
            for name in (one.rstrip('?') for one in LIMIT_MEMBERS):
                must(same(policy.get(name), p['policyLimits'].get(name)), '%s is another than the policy says' % name)

    check('B11', 'limits', limits)

    def incidents():
        details = p.get('incidentDetails')
        must((details is not None) == disclosure['showIncidentDetails'], 'are shown or withheld against the disclosure')
        must(details is None or len(details['anomalies']) == s['anomalies']['count'], 'other details are shown than are bound')
        # Incidents of v1 are named by hashes of the issuer's own, and are in no record of the bundle.
        def counted_as(critical):
            more = p['majorIncidentCount'] - critical
            must(more >= 0 and (details is None or more <= len(details['v1IncidentEvidenceHashes'])), 'are counted otherwise')
            if more > 0:
                assert_only('%d of v1, which only the issuer tells' % more)

        if s['anomalies']['count'] == 0:
            return counted_as(0)
        found = parse(optional(sets['anomalies']))
        if any('payload' not in one for one in found):
            withhold('they are not disclosed', 'the incidents')
        told = [{'artifactHash': one['artifactHash'], 'detectorVersion': one['payload']['detectorVersion'], 'kind': one['payload']['kind'], 'severity': one['payload'].get('severity') or 'INFO'} for one in found]
        must(details is None or same(details['anomalies'], sorted(told, key=lambda one: one['artifactHash'])), 'other details are shown than the records say')
        to = seconds(p['generatedAt'])
        critical = lambda one: one['severity'] == 'CRITICAL' or any(seconds(span['from']) <= to and seconds(span['to']) >= to - 90 * 86400 for span in one['criticalAt'])
        counted_as(len({one['payload']['fingerprint'] for one in found if critical(one['payload'])}))

    check('B11', 'incidents', incidents)

    def owned():
        named = positions_hash()
        if not disclosure['showTreasuryOwnership']:
            return must(named is None, 'the log names positions against the disclosure')
        if named is None:
            assert_only('the log names no positions, as in earlier releases')
        must('0x' + sha(file(positions_path)).hex() == named, 'the log names other positions')
        told = parse(file(positions_path))
        must(is_positions(told), positions_path + ' is no list of positions')
        vault = record(s['vault'])['payload']
        chain = vault['chainId']
        must(told['quote'] == 'eip155:%s/erc20:%s' % (chain, vault['pair']['quote'].lower()), 'the positions are in another quote')
        held = sum(int(one['quote']) for one in told['positions'])
        must(held == int(p['treasuryOwnedLiquidityQuote']), 'the positions hold %d' % held)
        must(len({one['entry']['id'] for one in told['positions']}) == len(told['positions']), 'a position is counted twice')
        for one in told['positions']:
            must(one['block']['chainId'] == chain, '%s is of another chain' % one['entry']['id'])
            must(seconds(one['block']['timestamp']) <= seconds(p['generatedAt']), '%s was read after the passport' % one['entry']['id'])
            must(seconds(p['generatedAt']) - seconds(one['block']['timestamp']) <= 86400, '%s was read more than a day before the passport' % one['entry']['id'])
            must(seconds(one['control']['until']) > seconds(p['generatedAt']), 'the evidence of %s had ended' % one['entry']['id'])
        entries = parse(optional(sets['ledgerEntries']))
        safe = 'eip155:%s:%s' % (chain, vault['safeAddress'].lower())
        for one in told['positions']:
            id_ = one['entry']['id']
            found = next((entry for entry in entries if entry['id'] == id_), {})
            must('payload' in found and found['resourceVersion'] == one['entry']['resourceVersion'], '%s is not among the bound entries' % id_)
            entry = found['payload']
            must(entry['assetClass'] == 'LP_CLAIM' and entry['asset'] == one['claim'] and entry['containerKey'] == one['container'] == safe, '%s is no such liquidity claim of the Safe' % id_)
            base = 'eip155:%s/erc20:%s' % (chain, vault['pair']['base'].lower())
            must({base, told['quote']} <= {leg['asset'] for leg in entry['observed']['legs']}, '%s does not hold both tokens of the pair' % id_)
            legs = sum(whole(leg['quantity']) for leg in entry['observed']['legs'] if leg['asset'] == told['quote'])
            must(legs == int(one['quote']), '%s holds %d' % (id_, legs))
            block = one['block']
            must(any(same([at['chainId'], at['blockNumber'], at['blockHash'], seconds(at['timestamp'])], [block['chainId'], block['number'], block['hash'], seconds(block['timestamp'])])
                     for at in entry['computation']['snapshot']['chains']), '%s was read at another block' % id_)

    check('B11', 'owned liquidity', owned)

    shows_treasury = disclosure['showTreasuryOwnership']

    def evidence():
        # Evidence of the treasury, which the disclosure shows.
        told = claims()
        if told is None:
            assert_only('the log names no evidence of it, as in earlier releases')
        must('treasury' in told, claims_path + ' lacks the treasury')
        pair, chain = record(s['vault'])['payload']['pair'], record(s['vault'])['payload']['chainId']
        key = lambda token: 'eip155:%s/erc20:%s' % (chain, token.lower())
        must((told['treasury']['base'], told['treasury']['quote']) == (key(pair['base']), key(pair['quote'])), 'the tokens are others')
        return told['treasury']

    def entry_of(named):
        if 'entries' not in state:
            state['entries'] = {one['id']: one for one in parse(optional(sets['ledgerEntries']))}
        found = state['entries'].get(named['id'], {})
        must('payload' in found and found['resourceVersion'] == named['resourceVersion'], '%s is not among the bound entries' % named['id'])
        return found['payload']

    def legs_of(payload):
        if payload.get('loan'):
            return [{'asset': payload['asset'], 'quantity': payload['loan']['lentTokens']}]
        must(payload.get('observed'), 'an entry was not read')
        return payload['observed']['legs'] or [{'asset': payload['asset'], 'quantity': payload['observed']['quantity']}]

    def atoms_in(payload, told):
        return tuple(sum(whole(leg['quantity']) for leg in legs_of(payload) if leg['asset'] == told[token]) for token in ('base', 'quote'))

    def position_entries():
        return [] if positions_hash() is None else [one['entry'] for one in parse(file(positions_path))['positions']]

    def priced_pool():
        # The pool behind the price, with its orientation; None if one pool does not make it.
        if len(s['venueObservations']) > 1:
            return None
        pool = parse(file('inputs/%s.json' % s['venueObservations'][0]['id']))
        must(isinstance(pool['kind'], str), 'is no state of a pool')
        if pool['kind'] not in ('UNISWAP_V2', 'UNISWAP_V3'):
            return None
        pool_state(pool)
        pair = record(s['vault'])['payload']['pair']
        return pool, pair['base'].lower() < pair['quote'].lower()

    def price_of(told):
        num, den = int(told['price']['num']), int(told['price']['den'])
        pool = priced_pool()
        if pool is not None:
            own = mid_of(*pool)
            must(num * own[1] == own[0] * den, 'the price is another than that of the pool')
        return num, den, pool is not None

    def require_proven(price):
        if not price[2]:
            assert_only('holds; the price of these pools is not written here')

    def worth(payload, told, price):
        for leg in legs_of(payload):
            must(leg['asset'] in (told['base'], told['quote']) or whole(leg['quantity']) == 0, 'an entry holds another token')
        base, quote = atoms_in(payload, told)
        return quote + base * price[0] // price[1]

    def balances():
        if not shows_treasury:
            return must('treasury' not in (claims() or {}), 'the log names a treasury against the disclosure')
        told, vault, positions = evidence(), record(s['vault'])['payload'], position_entries()
        named = {one['entry']['id'] for one in told['idle']} | {one['id'] for one in positions}
        must(len(named) == len(told['idle']) + len(positions), 'an entry is counted twice')
        for one in told['idle']:
            payload = entry_of(one['entry'])
            must(payload['containerKey'] == 'eip155:%s:%s' % (vault['chainId'], vault['safeAddress'].lower()), '%s is not of the Safe' % one['entry']['id'])
            must(atoms_in(payload, told) == (int(one['base']), int(one['quote'])), '%s holds another amount' % one['entry']['id'])
            chains = ((payload.get('computation') or {}).get('snapshot') or {}).get('chains', [])
            read = next((at for at in chains if same(at['chainId'], vault['chainId'])), None)
            must(read is not None, '%s was not read on chain' % one['entry']['id'])
            age = seconds(p['generatedAt']) - seconds(read['timestamp'])
            must(age >= 0, '%s was read after the passport' % one['entry']['id'])
            must(age <= 86400, '%s was read more than a day before the passport' % one['entry']['id'])
            must(seconds(one['control']['until']) > seconds(p['generatedAt']), 'the evidence of %s had ended' % one['entry']['id'])
        inside = [atoms_in(entry_of(one), told) for one in positions]
        owned_ = told['owned']
        must((int(owned_['positions']['base']), int(owned_['positions']['quote'])) == (sum(one[0] for one in inside), sum(one[1] for one in inside)), 'the positions hold other amounts')
        must(int(owned_['quoteBalance']) == sum(int(one['quote']) for one in told['idle']), 'the entries hold another balance')
        must(int(owned_['ownTokens']['base']) == sum(int(one['base']) for one in told['idle']), 'the entries hold other tokens')

    check('B11', 'quote balances and own tokens', balances)

    def realizable():
        if not shows_treasury:
            return 'is not disclosed'
        own = evidence()['owned']['ownTokens']
        amount, pool = int(own['base']), priced_pool()
        if amount and pool is None:
            assert_only('a sale in these pools is not written here')
        output = ((swap3 if pool[0]['kind'] == 'UNISWAP_V3' else swap2)(*pool, amount) or None) if amount else 0
        must(output == (None if own['realizableQuote'] is None else int(own['realizableQuote'])), 'is another value')

    check('B11', 'realizable value of own tokens', realizable)

    def rented():
        if not shows_treasury:
            return 'is not disclosed'
        told = evidence()
        named = told['rentedObservations']
        must(len({one['id'] for one in named}) == len(named) and all(one in s['venueObservations'] for one in named), 'an observation is not bound, or counted twice')
        if not named:
            return must(int(p['rentedLiquidityQuote']) == 0, 'is 0: no venue has an active program')
        price = price_of(told)
        locked = sum(whole(record(one)['payload']['metrics'].get('tvlQuote') or '0') for one in named)
        own = sum(worth(entry_of(one), told, price) for one in position_entries())
        must(max(0, locked - own) == int(p['rentedLiquidityQuote']), 'is another amount')
        require_proven(price)

    check('B11', 'rented liquidity', rented)

    def external():
        if not shows_treasury:
            return 'are not disclosed'
        told = evidence()
        price = price_of(told)
        kinds = ('MARKET_MAKER_ACCOUNT', 'CUSTODIAN_ACCOUNT')
        found = [one['payload'] for one in parse(optional(sets['ledgerEntries'])) if one.get('payload', {}).get('container', {}).get('kind') in kinds]
        held = sum(worth(one, told, price) for one in found)
        must(held == int(p['externalManagerExposureQuote']), 'hold %d' % held)
        if held:
            require_proven(price)

    check('B11', 'external managers', external)

    def managers():
        told = claims()
        if 'externalManagerNames' not in p:
            return must('managers' not in (told or {}), 'the log names managers against the disclosure')
        if told is None:
            assert_only('the log names no evidence of them, as in earlier releases')
        must('managers' in told, claims_path + ' lacks the managers')
        named = told['managers']
        must([one['mandate'] for one in named['mandates']] == s['mandates'], 'other mandates are named than are bound')
        names = sorted({*(one['name'] for one in named['mandates']), *named['custodians']}, key=lambda one: one.encode('utf-16-be'))
        must(names == p['externalManagerNames'], 'are others')

    check('B11', 'names of managers', managers)

    def reconciled():
        if s['reconciliation'] is None:
            return must(p['reconciledPositionCount'] == 0, 'positions are reconciled, but no reconciliation is bound')
        if not shows_treasury:
            withhold('the lines of the reconciliation are not disclosed', 'the lines of the reconciliation')
        found = evidence()['lines']
        must(len({one['assetKey'] for one in found}) == len(found), 'a line is there twice')
        for one in found:
            sides = [one[side] for side in ('ledger', 'custody', 'chain') if one[side] is not None]
            must(len(sides) > 1 and len(set(sides)) == 1, 'the sides of %s do not agree' % one['assetKey'])
        must(len(found) == p['reconciledPositionCount'], 'are %d' % len(found))

    check('B11', 'reconciled positions', reconciled)

    def shown():
        for name, shown in (('treasuryOwnedLiquidityQuote', 'showTreasuryOwnership'), ('rentedLiquidityQuote', 'showTreasuryOwnership'), ('externalManagerExposureQuote', 'showTreasuryOwnership'), ('externalManagerNames', 'showExternalManagerNames')):
            must((name in p) == disclosure[shown], '%s is shown or withheld against the disclosure' % name)

    check('B11', 'disclosure', shown)

    proven, proven_blocks = [], set()
    for path in sorted(files):
        if not path.startswith('chain/'):
            continue

        def chain(path=path):
            proof = parse(files[path])
            must(is_chain_proof(proof), 'is no proof of accounts')
            proven_blocks.add(proof['hash'])
            must({'chainId': proof['chainId'], 'number': proof['number'], 'hash': proof['hash'], 'timestamp': proof['timestamp']} in s['blocks'], 'a block that is not bound')
            header = unhex(proof['header'])
            fields = rlp(header)
            must('0x' + keccak(header).hex() == proof['hash'], 'the header has another hash')
            must(int.from_bytes(fields[8], 'big') == proof['number'] and int.from_bytes(fields[11], 'big') == seconds(proof['timestamp']), 'the header is of another block')
            for account in proof['accounts']:
                must(any(block['hash'] == proof['hash'] and address == account['address'] for block, address in readings()), 'an account that is not bound at this block')
                encoded = value(fields[3], keccak(bytes.fromhex(account['address'][2:])), account['accountProof'])
                must(encoded, '%s is not there' % account['address'])
                found = rlp(encoded)
                must(isinstance(found, list) and len(found) == 4, '%s is no account' % account['address'])
                must('0x' + found[3].hex() == account['codeHash'], 'other code')
                slots = {}
                for slot in account['storage']:
                    stored = value(found[2], keccak(unhex(slot['key'])), slot['proof'])
                    number = int.from_bytes(rlp(stored), 'big') if stored is not None else 0
                    must(number == int(slot['value'], 16), 'another value')
                    slots[slot['key']] = number
                proven.append((proof['hash'], account['address'], slots))
        check('B12', path, chain)

    def proven_slots(block, address):
        # A block is proven for all accounts that were read at it, or for none.
        for one in proven:
            if one[:2] == (block, address):
                return one[2]
        must(block not in proven_blocks, 'the proof of its block lacks the account')
        skip('no proof of its block is in the bundle', 'proofs of the chain')

    def control():
        vault = record(s['vault'])['payload']
        require_control(proven_slots(vault['snapshot']['hash'], vault['safeAddress']), vault['control'])

    check('B12', 'control of the vault', control)
    for named in s['venueObservations']:
        def state_of(named=named):
            found = record(named)['payload']
            pool = parse(file('inputs/%s.json' % named['id']))
            require_pool(proven_slots(found['state']['at']['hash'], record(found['venue'])['payload']['address']), pool)
        check('B12', 'state of ' + named['id'], state_of)

    def blocks():
        if block_hashes is None:
            ask('give --rpc: whose chain it is only a node of your choice can tell', '--rpc')
        for one in s['blocks']:
            must(block_hashes.get('%d/%d' % (one['chainId'], one['number'])) == one['hash'], 'the node has another block %d' % one['number'])

    check('B12', 'blocks', blocks)

    def b13():
        receipt, registry = p.get('resultsRegistryReceipt'), keys.get('registry')
        lacking = [name for name in REGISTRY_MEMBERS if name not in p]
        if len(lacking) == len(REGISTRY_MEMBERS):
            must('registry-receipt.json' not in files, 'a receipt that the passport does not name')
            must(registry is None, 'a registry that the passport does not name')
            return 'the passport names none'
        must(not lacking, 'the passport lacks ' + ', '.join(lacking))
        must(same(parse(file('registry-receipt.json')), receipt), 'the file is another receipt')
        must(registry and fingerprint(registry['publicKey']) == s['keys']['registry'], 'the key is not the one that the issuer signed for')
        named = [p[name] for name in REGISTRY_MEMBERS[:3]]
        must([registry['providerId'], registry['resourceVersion']] == named[:2] and [receipt[name] for name in ('providerId', 'providerResourceVersion', 'providerAttestationHash')] == named, 'the receipt is of another registry')
        must(signed(registry['publicKey'], D('liquidity-passport-results-registry-receipt/v1', without(receipt, 'signature')), receipt['signature']), 'is not of this key')
        subject = H('liquidity-passport-subject/v1', without(p, 'contentHash', 'signature', *REGISTRY_MEMBERS))
        commitment = H('liquidity-passport-results-registry-commitment/v1', {
            'providerId': receipt['providerId'], 'providerResourceVersion': receipt['providerResourceVersion'],
            'providerAttestationHash': receipt['providerAttestationHash'], 'passportSubjectHash': subject})
        must(receipt['passportSubjectHash'] == subject and receipt['commitmentHash'] == commitment == p['resultsRegistryCommitmentHash'], 'the receipt is of another passport')
        vouched()

    check('B13', 'results registry', b13)

    def b14():
        found = parse(file('artifacts.json'))
        must(isinstance(found, list), 'is no list')
        must(len(found) <= LIMITS['statements'], 'more than %d statements' % LIMITS['statements'])
        for one in found:
            must(one['statement']['passportContentHash'] == p['contentHash'], 'of another passport')
            must(set(one) == {'statement', 'keyId', 'signature'} and signed(service(one['keyId']), D('artifact-statement/v1', one['statement']), one['signature']), 'does not hold')
        own = [one for one in found if one['statement']['format'] == 'json']
        must(own and own[0]['statement']['sha256'] == '0x' + sha(files['passport.json']).hex(), 'the JSON has another hash')
        vouched()

    check('B14', 'formats', b14)

    def time():
        asked = parse(file('revocations.json'))['asOf'] if at is None else at
        must(is_time(asked), 'the time for which you ask is written YYYY-MM-DDThh:mm:ssZ')
        must(seconds(asked) < seconds(p['validUntil']), 'expired at ' + p['validUntil'])
        vouched()

    check('B15', 'time', time)

    def revocations():
        told = parse(file('revocations.json'))
        must(len(told['revocations']) <= LIMITS['revocations'], 'more than %d revocations' % LIMITS['revocations'])
        must(signed(service(told['keyId']), D('revocations/v1', without(told, 'signature')), told['signature']) and told['slug'] == p['slug'] and is_time(told['asOf']), 'does not hold')
        must(seconds(told['asOf']) + CLOCK_SECONDS >= seconds(p['generatedAt']), 'is of %s, before the passport was made' % told['asOf'])
        for one in told['revocations']:
            must(signed(any_service(one['keyId']), D('revocation/v1', without(one, 'signature')), one['signature']), 'a revocation does not hold')
            must(one['contentHash'] != p['contentHash'], 'revoked at ' + one['revokedAt'])
        vouched()

    check('B15', 'revocations', revocations)
    return lines


def rlp(data):
    item, end = rlp_at(data, 0)
    must(end == len(data), 'bytes behind an item')
    return item


def rlp_at(data, at):
    first = data[at]
    if first < 0x80:
        return data[at:at + 1], at + 1
    short, base = (first < 0xb8, 0x80) if first < 0xc0 else (first < 0xf8, 0xc0)
    if short:
        begin, length = at + 1, first - base
    else:
        count = first - base - 55
        begin, length = at + 1 + count, int.from_bytes(data[at + 1:at + 1 + count], 'big')
    must(begin + length <= len(data), 'RLP ends')
    if first < 0xc0:
        return data[begin:begin + length], begin + length
    items, at = [], begin
    while at < begin + length:
        item, at = rlp_at(data, at)
        items.append(item)
    return items, begin + length


# Keccak-256 of the RLP of nothing: the root of a trie without entries, and the only one that needs no node as proof.
EMPTY_ROOT = bytes.fromhex('56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')


def value(wanted, key, proof):
    # None if the proof shows that the trie has no value. An empty proof shows that for the empty trie only.
    must(isinstance(proof, list), 'a proof is no list')
    if not proof and wanted == EMPTY_ROOT:
        return None
    nibbles, depth = [int(one, 16) for one in key.hex()], 0

    def absent(place):
        must(place == len(proof) - 1, 'nodes follow the end of the proof')

    for place, encoded in enumerate(proof):
        data = unhex(encoded)
        must(keccak(data) == wanted, 'a node is not the one that is named')
        current = rlp(data)
        while True:
            must(isinstance(current, list) and len(current) in (2, 17), 'a node is neither a branch nor a path')
            if len(current) == 17:
                follow = current[nibbles[depth]]
                depth += 1
            else:
                path = [int(one, 16) for one in current[0].hex()]
                rest = path[1:] if path[0] % 2 else path[2:]
                if nibbles[depth:depth + len(rest)] != rest:
                    return absent(place)
                depth += len(rest)
                if path[0] >= 2:
                    return current[1] if depth == len(nibbles) else absent(place)
                follow = current[1]
            if isinstance(follow, list):
                current = follow
                continue
            if follow == b'':
                return absent(place)
            wanted = follow
            break
    raise ValueError('the proof ends before the value')


def word(number):
    return number.to_bytes(32, 'big')


def mapped(key, slot):
    return '0x' + keccak(word(key) + word(slot)).hex()


def whole(text):
    # An integer of a bundle: a number, or at most 256 bits in digits.
    must(type(text) is int or isinstance(text, str) and re.fullmatch('-?(0|[1-9][0-9]{0,77})|0x[0-9a-fA-F]{1,64}', text), 'an integer is written in another way')
    return text if type(text) is int else int(text, 16 if text.startswith('0x') else 10)


def require_control(slots, control):
    # Slots 0, 3, 4, 5 and the list of owners in the mapping of slot 2 of a Safe.
    def at(key):
        must(key in slots, 'a slot of the Safe is not proven')
        return slots[key]
    slot = lambda number: at('0x' + word(number).hex())
    owners = control['owners']
    must(isinstance(owners, list), 'the owners are no list')
    must(slot(0) == whole(control['singleton']), 'the singleton is another')
    must((slot(3), slot(4), slot(5)) == (len(owners), whole(control['threshold']), whole(control['nonce'])), 'number of owners, threshold or nonce is another')
    named, owner = {whole(one) for one in owners}, 1
    for _ in range(len(owners) + 1):
        owner = at(mapped(owner, 2))
        if owner == 1:
            break
        must(owner in named, 'an owner is another')
        named.remove(owner)
    must(owner == 1 and not named, 'the owners are others')


def require_pool(slots, pool):
    # Where pools of Uniswap keep what a quote depends on.
    must(isinstance(pool['kind'], str), 'is no state of a pool')
    if pool['kind'] not in ('UNISWAP_V2', 'UNISWAP_V3'):
        assert_only('pools of kind %s are not written here' % pool['kind'])

    def at(key):
        must(key in slots, 'a slot of the pool is not proven')
        return slots[key]
    part = lambda number, low, bits: number >> low & (1 << bits) - 1
    signed_ = lambda number, bits: number - (1 << bits) if number >> bits - 1 else number
    slot = lambda number: at('0x' + word(number).hex())
    if pool['kind'] == 'UNISWAP_V2':
        return must((part(slot(8), 0, 112), part(slot(8), 112, 112)) == (whole(pool['reserve0']), whole(pool['reserve1'])), 'the reserves are others')
    must((part(slot(0), 0, 160), signed_(part(slot(0), 160, 24), 24)) == (whole(pool['sqrtPriceX96']), whole(pool['tick'])), 'the price is another')
    must(part(slot(4), 0, 128) == whole(pool['liquidity']), 'the liquidity is another')
    for one in pool['ticks']:
        stored = at(mapped(whole(one['index']) % 2**256, 5))
        must((part(stored, 0, 128), signed_(stored >> 128, 128)) == (whole(one['liquidityGross']), whole(one['liquidityNet'])), 'tick %s is another' % one['index'])


# secp256k1, to recover who signed.
K1 = 2**256 - 2**32 - 977
N1 = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141
G1 = (0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798, 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8)


def add1(p, q):
    if p is None or q is None:
        return q if p is None else p
    if p[0] == q[0] and (p[1] + q[1]) % K1 == 0:
        return None
    slope = 3 * p[0] * p[0] * pow(2 * p[1], K1 - 2, K1) if p == q else (q[1] - p[1]) * pow(q[0] - p[0], K1 - 2, K1)
    x = (slope * slope - p[0] - q[0]) % K1
    return x, (slope * (p[0] - x) - p[1]) % K1


def mul1(point, scalar):
    result = None
    while scalar:
        if scalar & 1:
            result = add1(result, point)
        point, scalar = add1(point, point), scalar >> 1
    return result


def recover(digest, signature):
    r, s, v = int.from_bytes(signature[:32], 'big'), int.from_bytes(signature[32:64], 'big'), signature[64]
    square = (pow(r, 3, K1) + 7) % K1
    y = pow(square, (K1 + 1) // 4, K1)
    if v not in (27, 28) or not r or not s or y * y % K1 != square:
        return None
    y = y if y & 1 == v - 27 else K1 - y
    z = int.from_bytes(digest, 'big') % N1
    point = mul1(add1(mul1((r, y), s % N1), mul1(G1, -z % N1)), pow(r, N1 - 2, N1))
    return None if point is None else '0x' + keccak(word(point[0]) + word(point[1]))[12:].hex()


def authorized(keys, passport, vault):
    # Whether the owners of the Safe signed for the key; says what rests on other checks.
    one, control = keys['authorization'], vault['payload']['control']
    safe, chain_id = vault['payload']['safeAddress'], vault['payload']['chainId']
    must(safe.lower() == one['safe'].lower() and chain_id == one['chainId'] and control['version'] == one['version'], 'another Safe signed for the key')
    must(H('organization/v1', {'organizationId': vault['organizationId']}) == one['organizationHash'], 'another organization is named')
    issued, expires = seconds(one['issuedAt']), seconds(one['expiresAt'])
    must(issued <= seconds(passport['generatedAt']) < expires, 'the authorization was not of that time')
    k = lambda text: keccak(text.encode())
    domain = keccak(k('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)') + k('Liquidity OS Passport Signer') + k('1') + word(chain_id) + word(whole(safe)))
    struct_ = keccak(k('PassportSignerAuthorization(bytes32 organizationHash,bytes32 publicKey,uint64 issuedAt,uint64 expiresAt)')
                     + unhex(one['organizationHash']) + b64(keys['issuer']['publicKey'], 32) + word(issued) + word(expires))
    safe_domain = keccak(k('EIP712Domain(uint256 chainId,address verifyingContract)') + word(chain_id) + word(whole(safe)))
    message = keccak(k('SafeMessage(bytes message)') + keccak(keccak(b'\x19\x01' + domain + struct_)))
    digest, packed, threshold = keccak(b'\x19\x01' + safe_domain + message), unhex(one['signatures']), control['threshold']
    must(count(threshold) and threshold > 0, 'the vault has no threshold')
    must(len(packed) <= LIMITS['bytesOfSignatures'], 'the signatures are longer than %d bytes' % LIMITS['bytesOfSignatures'])
    signers = set()
    for at in range(0, len(packed) - 64, 65):
        if len(signers) >= threshold:
            break
        signer = recover(digest, packed[at:at + 65])
        if signer is None:
            return 'a signature of the owners is of a kind that is not written here'
        must(int(signer, 16) != 1 and signer in [owner.lower() for owner in control['owners']], 'a signature is of no owner')
        signers.add(signer)
    must(len(signers) >= threshold, '%d of %d owners signed' % (len(signers), threshold))
    return '%d owners of %s signed for it; that this Safe is of the issuer you must know from elsewhere' % (len(signers), one['safe'])


# Local chains and public test networks: the list of the contract, packages/contract/src/generated/test-networks.json.
TEST_CHAINS = {int(one) for one in (
    '3 4 5 16 21 31 41 51 71 83 89 97 114 133 153 157 164 202 216 261 270 272 282 296 297 '
    '300 338 365 398 420 462 475 545 595 599 627 646 681 699 701 785 825 842 919 943 997 998 '
    '1001 1028 1038 1073 1075 1112 1114 1115 1123 1131 1230 1287 1301 1315 1328 1336 1337 '
    '1338 1439 1442 1453 1513 1516 1663 1686 1874 1879 1891 1924 1946 1952 1993 1995 2017 '
    '2022 2024 2039 2201 2221 2331 2340 2358 2391 2442 2443 2522 2625 2710 2730 2810 3110 '
    '3141 3636 3939 3993 4002 4090 4112 4201 4202 4203 4460 4690 4759 4777 4801 5001 5003 '
    '5115 5124 5611 5700 5887 6000 6343 6423 6497 7001 7120 7234 7672 8082 8150 8408 8882 '
    '9000 9280 9496 9746 9747 9990 10081 10143 10200 10218 10243 11011 11124 11822 12325 '
    '13001 13337 13473 14800 14853 15000 15557 16600 16601 16602 17000 17069 18233 18881 '
    '20993 20994 21363 23023 23295 23452 25925 28882 29112 31318 31337 31611 33101 33111 '
    '34952 35443 37111 40204 42000 42070 42421 42431 43113 43521 43851 44787 46630 46688 '
    '48898 50006 50312 50341 53302 53457 54170 54211 55931 57000 57054 58008 59140 59141 '
    '59902 60600 62049 62092 64165 64240 66665 72344 80001 80002 80008 80069 80084 80085 '
    '84531 84532 88882 88991 91342 97476 98864 98867 101003 102031 102032 105363 120893 '
    '124832 127823 128123 132902 167005 167007 167008 167009 167013 181228 200024 200810 '
    '202601 205205 314159 421613 421614 450815 490092 534351 560048 631571 656476 666666 '
    '695569 743111 751230 763373 763375 808813 810181 812242 839999 911867 978658 984123 '
    '1337803 1440002 1449000 1612127 1998991 2019775 2524852 2651420 3397901 3441005 3441006 '
    '5042002 5201420 5318007 6038361 6912115 7080969 10241025 11142220 11155111 11155420 '
    '11155931 12227332 20241133 21000001 28122024 33772211 37084624 41144114 52164803 '
    '111557560 161221135 168587773 245022926 324705682 420420421 420420422 531050104 '
    '974399131 999999999 1020352220 1313161555 1444673419 1523903251 1660990954 1722641160 '
    '1802203764 1952959480 2494104990 3448148188 7078815900 11297108099 37714555429 '
    '123420000220 123420001114 920637907288165 2713017997578000'
).split()}


def simulated(data):
    # The test chains among those whose blocks the passport is bound to.
    blocks = parse(read_zip(data)['passport.json'])['sourceBindings']['blocks']
    return sorted({one['chainId'] for one in blocks} & TEST_CHAINS)


def block_hashes_of(url, data):
    # Hashes of the bound blocks as a node has them; blocks of other chains are left out.
    found = {}

    def call(method, params):
        body = json.dumps({'jsonrpc': '2.0', 'id': 1, 'method': method, 'params': params}).encode()
        request = urllib.request.Request(url, body, {'content-type': 'application/json'})
        with urllib.request.urlopen(request) as response:
            return json.load(response)['result']

    for one in parse(read_zip(data)['passport.json'])['sourceBindings']['blocks']:
        if int(call('eth_chainId', []), 16) != one['chainId']:
            continue
        block = call('eth_getBlockByNumber', [hex(one['number']), False])
        if block:
            found['%d/%d' % (one['chainId'], one['number'])] = block['hash']
    return found


QUESTIONS = (('Who signed', 'B([1-9]|13|14)', False), ('Is every figure recomputable', 'B1[012]', False), ('Is it current', 'B1[15]', True))
MISSING_FROM = {'READER': 'you did not give', 'ISSUER': 'the issuer did not disclose', 'BUNDLE': 'the bundle does not give'}


def is_of_time(line):
    return line[0] == 'B15' or line[0] == 'B11' and line[2].startswith('age of the sources:')


def answers(lines, as_of):
    # The three questions: PASS, FAIL or what is missing.
    unique = lambda names: ', '.join(dict.fromkeys(names))
    failed = lambda some: unique(code for code, result, _, _ in some if result == 'FAIL')
    for title, codes, of_time in QUESTIONS:
        own = [one for one in lines if re.fullmatch(codes, one[0]) and is_of_time(one) == of_time]
        if failed(own):
            yield title, 'FAIL: ' + failed(own)
            continue
        if not own:
            yield title, 'not checked: %s failed' % failed(lines)
            continue
        parts = ['%s %s' % (words, unique(one[3][1] for one in own if one[3] and one[3][0] == source)) for source, words in MISSING_FROM.items() if any(one[3] and one[3][0] == source for one in own)]
        asserted = unique(one[2].split(':')[0] for one in own if one[1] == 'ASSERTED')
        if asserted:
            parts.append('asserted, not recomputed: ' + asserted)
        yield title, '; '.join(parts) or ('PASS as of ' + as_of if of_time else 'PASS')


def as_of(data):
    try:
        return parse(read_zip(data)['revocations.json'])['asOf']
    except Exception:
        return None


def printable(words):
    # What came from the bundle can neither move a cursor nor begin a line.
    return ''.join('\\u%04x' % ord(one) if unicodedata.category(one)[0] == 'C' else one for one in words)


def main(args):
    options, path = {}, None
    names = {'--issuer-key': 'issuer_key', '--witness': 'witness', '--at': 'at', '--known-checkpoint': 'known', '--log-key': 'log_key_', '--rpc': 'rpc'}
    while args:
        one = args.pop(0)
        if one in names and args:
            options[names[one]] = args.pop(0)
        elif one == '--json':
            options['json'] = True
        elif path is None and (one == '-' or not one.startswith('-')):
            path = one
        else:
            path = None
            break
    if path is None:
        print(__doc__, file=sys.stderr)
        return 2
    as_json, rpc, known = options.pop('json', False), options.pop('rpc', None), options.pop('known', None)
    if path == '-':
        # Many bundles, one base64 a line: a status for each.
        for line in sys.stdin:
            found = verify(base64.b64decode(line), **options)
            print(json.dumps({'ok': all(one[1] != 'FAIL' for one in found), 'lines': [one[:3] for one in found]}))
        return 0
    try:
        with open(path, 'rb') as source:
            data = source.read()
        if known is not None:
            with open(known, encoding='utf-8') as source:
                options['known_checkpoint'] = source.read()
        if rpc is not None:
            options['block_hashes'] = block_hashes_of(rpc, data)
    except (OSError, ValueError, KeyError) as why:
        print(printable(str(why)), file=sys.stderr)
        return 2
    found = verify(data, **options)
    ok = all(one[1] != 'FAIL' for one in found)
    told = list(answers(found, options.get('at') or as_of(data)))
    chains = simulated(data) if ok else []
    mark = ['SIMULATED   market: the evidence lies on local or test chains: %s' % ', '.join(map(str, chains))] if chains else []
    lines = mark + ['%-11s %-3s %s' % (r, c, printable(t)) for c, r, t, _ in found] + [''] + [printable('%s: %s' % one) for one in told]
    print(printable(json.dumps({'ok': ok, 'answers': told, 'simulated': chains, 'lines': [one[:3] for one in found]})) if as_json else '\n'.join(lines))
    return 0 if ok else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
