-- One shared lock, included after start.lua: parses it, or returns an error if it is none, before anything is written.
-- docs/guarantees/redis.md explains the protocol. The including file has set LOCK, COUNTER, QUEUE and WAITERS, `found` (the lock's head
-- and the record of the holder), `wanted` (its capacity, or nil for any), `us` and `ms`.
-- KEYS  1 lock     hash  .      -> 2|capacity|used|soonest|till
--                        holder -> ends|C or H|weight|token|meta   C handed over, H asked for
--       4 waiters  hash  holder -> seen until|weight|channel|meta
--       2 counter, 3 queue, 5 tombstone of the holder: as in ../state.lua
-- `used` is the weight of all records, also of those that are over. No record ends before `soonest`. The lock expires at `till`,
-- when all records are over and no waiter is left. Times are the server's, in ms.
-- include failure.lua

local function foreign(content, wanted)
  return redis.error_reply('FOREIGN ' .. LOCK .. ' holds ' .. string.sub(content, 1, 40) .. ', not ' .. wanted)
end

local NEVER = 9007199254740992
local head, mine = found[1], found[2]
local capacity, used, soonest, till = wanted, 0, NEVER, 0
-- `exclusive`: the name is an exclusive lock at present. `stale`: the stored data is of another kind, and unused.
local exclusive, stale

if found.err then
  local value = redis.pcall('GET', LOCK)
  if type(value) ~= 'string' then
    return failure(found, LOCK)
  end
  if not string.match(value, '^1|[%w%-]+|[CH]|%d+|') then
    return foreign(value, 'a lock of layout 1 or 2')
  end
  exclusive = true
elseif head then
  capacity, used, soonest, till = string.match(head, '^2|(%d+)|(%d+)|(%d+)|(%d+)$')
  if not capacity then
    return foreign(head, 'a lock of layout 2')
  end
  capacity, used, soonest, till = tonumber(capacity), tonumber(used), tonumber(soonest), tonumber(till)
elseif redis.call('EXISTS', LOCK) == 1 then
  return foreign('a hash', 'a lock of layout 2')
end

if wanted and (exclusive or capacity ~= wanted) then
-- include kind.lua
  if exclusive or in_use(LOCK, QUEUE, WAITERS, soonest, ms) then
    return other_kind(LOCK, exclusive and 1 or text(capacity), text(wanted))
  end
  stale = true
  head, mine, capacity, used, soonest, till = false, false, wanted, 0, NEVER, 0
end

local ends, mark, weighs, token, label = string.match(mine or '', '^(%d+)|([CH])|(%d+)|(%d+)|(.*)$')
if ends then
  ends, weighs = tonumber(ends), tonumber(weighs)
elseif mine then
  return foreign(mine, 'a record of layout 2')
end
