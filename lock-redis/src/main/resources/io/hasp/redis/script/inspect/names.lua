-- Lists the names of some locks on this server. Without keys: it is sent to each master in turn.
-- ARGV  1 pattern of the keys  2 cursor  3 the server's run id, as it was at the first page, or empty
--       4 bytes before the name in a key
-- Reply run id|next cursor, 0 behind the last page; then names as they are in keys, with { before each of them
-- MOVED_ON if another server answers by now: a cursor means nothing to it
local pattern, cursor, known, before = unpack(ARGV)
-- The first number of names that end a page, the longest page, and about how many keys of others one call passes.
local ENOUGH, MOST, PASSED = 50, 100, 2000
local FEW, MANY = 20, 320

local info = redis.pcall('INFO', 'server')
local run = type(info) == 'string' and string.match(info, 'run_id:(%w+)') or ''
if known ~= '' and run ~= known then
  return 'MOVED_ON'
end

local names, listed, step, passed = {}, {}, FEW, 0
repeat
  local page = redis.pcall('SCAN', cursor, 'MATCH', pattern, 'COUNT', step)
  if page.err then
    return redis.error_reply(page.err .. ' (SCAN)')
  end
  local found = {}
  for _, key in ipairs(page[2]) do
    local name, part = string.match(string.sub(key, before + 1), '^([^{}]+)}(.*)$')
    if name and (part == '' or part == ':q') and not listed[name] then
      listed[name] = true
      table.insert(found, name)
    end
  end
  -- What is too much now comes with the next page.
  if #names > 0 and #names + #found > MOST then
    break
  end
  for _, name in ipairs(found) do
    table.insert(names, name)
  end
  cursor, passed = page[1], passed + step
  step = #page[2] == 0 and math.min(2 * step, MANY) or FEW
until cursor == '0' or #names >= ENOUGH or passed >= PASSED
table.insert(names, 1, run .. '|' .. cursor)
return table.concat(names, '{')
