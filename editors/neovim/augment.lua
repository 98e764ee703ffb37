-- Review what AI agents change, in Neovim 0.7.2 or newer: approve and reject hunks, see who wrote a line. Copy this file to
-- ~/.config/nvim/lua/augment.lua and put `require("augment").setup()` into init.lua; docs/neovim.md tells the rest.
--
-- It starts `augment-cli serve --stdio` for files in a git or jj repository, and leaves everything else to Neovim's own
-- LSP client. It decides nothing by itself and keeps no state but which server runs where.

local M = {}

local defaults = {
  cmd = { "augment-cli", "serve", "--stdio" },
  -- How often a server that ended by itself is started again within three minutes.
  restarts = 4,
  -- Keys in buffers that are reviewed; false leaves one out.
  keys = {
    next = "]h",
    previous = "[h",
    approve = "<leader>ha",
    reject = "<leader>hr",
    undo = "<leader>hu",
    lens = "<leader>hl",
    list = "<leader>hq",
  },
}
local options = defaults

local uv = vim.uv or vim.loop

-- By root: the id of the client, the times of its last deaths, and whether the person has stopped it.
local servers = {}
local has = function(version) return vim.fn.has("nvim-" .. version) == 1 end

local DEATHS_MS = 180000

local function tell(message, level)
  vim.notify("augment: " .. message, level or vim.log.levels.INFO)
end

local function now_ms() return math.floor(uv.hrtime() / 1e6) end

-- The repository around a file. A server is never started for anything else by itself.
local function root_of(path)
  local folder = vim.fn.fnamemodify(path, ":p:h")
  while true do
    for _, name in ipairs({ ".git", ".jj" }) do
      if uv.fs_stat(folder .. "/" .. name) then return uv.fs_realpath(folder) end
    end
    local parent = vim.fn.fnamemodify(folder, ":h")
    if parent == folder then return nil end
    folder = parent
  end
end

local function client_of(bufnr)
  for _, server in pairs(servers) do
    if server.client and vim.lsp.buf_is_attached(bufnr, server.client) then
      return vim.lsp.get_client_by_id(server.client)
    end
  end
end

local function request(client, method, params, handler, bufnr)
  if has("0.11") then return client:request(method, params, handler, bufnr) end
  return client.request(method, params, handler, bufnr)
end

local function namespace(client_id) return vim.lsp.diagnostic.get_namespace(client_id) end

-- Lenses follow by themselves from 0.12 on. Before, what is decided has to be taken off the screen by hand.
local function refresh_lenses(bufnr, client)
  if has("0.12") then return end
  local params = { textDocument = { uri = vim.uri_from_bufnr(bufnr) } }
  request(client, "textDocument/codeLens", params, function(err, result, ctx)
    if not vim.api.nvim_buf_is_loaded(bufnr) then return end
    local shown = vim.api.nvim_create_namespace("vim_lsp_codelens:" .. client.id)
    vim.api.nvim_buf_clear_namespace(bufnr, shown, 0, -1)
    vim.lsp.codelens.on_codelens(err, result or {}, ctx)
  end, bufnr)
end

-- What was written to disk is shown, unless something is typed that is not saved: that stays, and the server asks Neovim
-- to change the text instead.
local function follow_disk(bufnr)
  if not vim.api.nvim_buf_is_loaded(bufnr) or vim.bo[bufnr].modified or vim.bo[bufnr].buftype ~= "" then return end
  local file = uv.fs_stat(vim.api.nvim_buf_get_name(bufnr))
  if not file then return end
  vim.api.nvim_buf_call(bufnr, function()
    vim.bo.autoread = true
    vim.cmd("silent! checktime " .. bufnr)
    -- A file that comes back is not read by itself where there was none when the buffer was made.
    local is_empty = vim.api.nvim_buf_line_count(0) == 1 and vim.api.nvim_buf_get_lines(0, 0, 1, true)[1] == ""
    if is_empty and file.size > 1 then vim.cmd("silent! edit") end
  end)
end

local function follow(bufnr)
  local client = client_of(bufnr)
  if not client then return end
  follow_disk(bufnr)
  refresh_lenses(bufnr, client)
end

local function refresh_all()
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    local client = vim.api.nvim_buf_is_loaded(bufnr) and client_of(bufnr)
    if client then refresh_lenses(bufnr, client) end
  end
end

-- Hunks that wait, in all files, in the order of names and lines.
local function pending(client)
  local hunks = vim.tbl_filter(
    function(one) return one.source == "augment" end,
    vim.diagnostic.get(nil, { namespace = namespace(client.id) })
  )
  for _, one in ipairs(hunks) do
    one.name = vim.api.nvim_buf_get_name(one.bufnr)
  end
  table.sort(hunks, function(a, b)
    if a.name ~= b.name then return a.name < b.name end
    if a.lnum ~= b.lnum then return a.lnum < b.lnum end
    return tostring(a.code) < tostring(b.code)
  end)
  return hunks
end

local function with_client(act)
  return function()
    local client = client_of(vim.api.nvim_get_current_buf())
    if not client then
      tell("Nothing is reviewed in this buffer. `:Augment start` starts the server for it.", vim.log.levels.WARN)
      return
    end
    return act(client)
  end
end

local function jump(step)
  return with_client(function(client)
    local hunks = pending(client)
    if #hunks == 0 then return tell("Nothing waits for a decision.") end
    local name = vim.api.nvim_buf_get_name(0)
    local line = vim.api.nvim_win_get_cursor(0)[1] - 1
    local last_line = vim.api.nvim_buf_line_count(0) - 1
    local function is_past(one)
      if one.name ~= name then return (one.name > name) == (step > 0) end
      -- What was removed at the end stands behind the last line, and is shown there.
      return (math.min(one.lnum, last_line) - line) * step > 0
    end
    local first, last = 1, #hunks
    if step < 0 then first, last = last, first end
    local at = first
    for index = first, last, step do
      if is_past(hunks[index]) then
        at = index
        break
      end
    end
    local hunk = hunks[at]
    if hunk.bufnr ~= vim.api.nvim_get_current_buf() then
      vim.bo[hunk.bufnr].buflisted = true
      vim.cmd("buffer " .. hunk.bufnr)
    end
    local lines = vim.api.nvim_buf_line_count(0)
    vim.api.nvim_win_set_cursor(0, { math.min(hunk.lnum + 1, lines), 0 })
    tell(string.format("%d of %d: %s", at, #hunks, hunk.message))
  end)
end

local function execute(client, command, bufnr)
  request(client, "workspace/executeCommand", command, function(err)
    if err then return tell(err.message, vim.log.levels.WARN) end
    follow(bufnr)
  end, bufnr)
end

-- Decides the hunk under the cursor, as the code action of the same name does.
local function decide(name)
  return with_client(function(client)
    local bufnr = vim.api.nvim_get_current_buf()
    local params = vim.lsp.util.make_range_params(0, client.offset_encoding)
    params.context = { diagnostics = {}, only = { "quickfix" } }
    request(client, "textDocument/codeAction", params, function(err, actions)
      if err then return tell(err.message, vim.log.levels.WARN) end
      local found = vim.tbl_filter(function(action) return action.command.command == name end, actions or {})
      if #found == 0 then return tell("No hunk waits for a decision here.") end
      if #found == 1 then return execute(client, found[1].command, bufnr) end
      local how = { prompt = "Which hunk:", format_item = function(action) return action.title end }
      vim.ui.select(found, how, function(action)
        if action then execute(client, action.command, bufnr) end
      end)
    end, bufnr)
  end)
end

local function list()
  local client = client_of(vim.api.nvim_get_current_buf())
  if client then vim.diagnostic.setqflist({ namespace = namespace(client.id), title = "Hunks that wait" }) end
end

local function on_attach(client, bufnr)
  local acts = {
    next = jump(1),
    previous = jump(-1),
    approve = decide("augment.approveHunk"),
    reject = decide("augment.rejectHunk"),
    undo = M.undo,
    lens = vim.lsp.codelens.run,
    list = list,
  }
  for name, act in pairs(acts) do
    local key = options.keys and options.keys[name]
    if key then vim.keymap.set("n", key, act, { buffer = bufnr, desc = "Review: " .. name }) end
  end
  if not has("0.8") then
    -- As later ones do by themselves: the server compares text and file before it is written, so that it knows a save.
    vim.api.nvim_create_autocmd("BufWritePre", {
      group = vim.api.nvim_create_augroup("augment-save-" .. bufnr, { clear = true }),
      buffer = bufnr,
      callback = function()
        local at = client_of(bufnr)
        local saving = { textDocument = { uri = vim.uri_from_bufnr(bufnr) }, reason = 1 }
        if at then at.request_sync("textDocument/willSaveWaitUntil", saving, 1000, bufnr) end
      end,
    })
  end
  if has("0.12") then
    vim.lsp.codelens.enable(true, { bufnr = bufnr })
  else
    refresh_lenses(bufnr, client)
  end
end

-- What a server that has ended showed is not there to be decided any more.
local function forget(client_id)
  vim.diagnostic.reset(namespace(client_id))
  if has("0.12") then return end
  local shown = vim.api.nvim_create_namespace("vim_lsp_codelens:" .. client_id)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and #vim.lsp.codelens.get(bufnr) > 0 then
      vim.lsp.codelens.save({}, bufnr, client_id)
      vim.api.nvim_buf_clear_namespace(bufnr, shown, 0, -1)
    end
  end
end

local start

local function on_exit(root)
  return function(code, signal, client_id)
    vim.schedule(function()
      local server = servers[root]
      if not server or server.client ~= client_id then return end
      server.client = nil
      forget(client_id)
      if server.is_stopped or vim.v.exiting ~= vim.NIL then return end
      local how = signal ~= 0 and ("signal " .. signal) or ("code " .. code)
      server.deaths = vim.tbl_filter(function(at) return now_ms() - at < DEATHS_MS end, server.deaths)
      table.insert(server.deaths, now_ms())
      if #server.deaths > options.restarts then
        tell("The server has ended again (" .. how .. "). `:Augment start` starts it.", vim.log.levels.ERROR)
        return
      end
      tell("The server has ended (" .. how .. ") and is started again.", vim.log.levels.WARN)
      -- The first time at once, then with a pause that doubles.
      local pause_ms = #server.deaths == 1 and 0 or 1000 * 2 ^ (#server.deaths - 2)
      vim.defer_fn(function()
        if not server.is_stopped then start(root) end
      end, pause_ms)
    end)
  end
end

-- Every loaded file below the root is attached, also after a restart.
local function attach_all(root)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    local name = vim.api.nvim_buf_get_name(bufnr)
    if vim.api.nvim_buf_is_loaded(bufnr) and vim.bo[bufnr].buftype == "" and name ~= "" and root_of(name) == root then
      vim.lsp.buf_attach_client(bufnr, servers[root].client)
    end
  end
end

start = function(root)
  local server = servers[root] or { deaths = {} }
  servers[root] = server
  server.is_stopped = false
  if not server.client then
    local capabilities = vim.lsp.protocol.make_client_capabilities()
    capabilities.workspace.codeLens = { refreshSupport = true }
    local config = {
      name = "augment",
      cmd = options.cmd,
      cmd_cwd = root,
      root_dir = root,
      workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
      capabilities = capabilities,
      on_attach = on_attach,
      on_exit = on_exit(root),
    }
    config.handlers = {
      -- What waits has changed, so the file has, or its lenses.
      ["textDocument/publishDiagnostics"] = function(err, result, ctx, how)
        vim.lsp.handlers["textDocument/publishDiagnostics"](err, result, ctx, how)
        vim.schedule(function() follow(vim.uri_to_bufnr(result.uri)) end)
      end,
    }
    if not has("0.12") then
      config.handlers["workspace/codeLens/refresh"] = function()
        vim.schedule(refresh_all)
        return vim.NIL
      end
    end
    if has("0.11") then
      server.client = vim.lsp.start(config, { attach = false })
    else
      server.client = vim.lsp.start_client(config)
    end
    if not server.client then
      return tell(options.cmd[1] .. " could not be started. Is it on your PATH?", vim.log.levels.ERROR)
    end
  end
  attach_all(root)
end

-- Takes the last decision back.
M.undo = with_client(function(client)
  execute(client, { command = "augment.undoDecision", arguments = {} }, vim.api.nvim_get_current_buf())
end)

function M.start()
  local name = vim.api.nvim_buf_get_name(0)
  start(root_of(name ~= "" and name or uv.cwd() .. "/.") or uv.fs_realpath(uv.cwd()))
end

function M.stop()
  for _, server in pairs(servers) do
    server.is_stopped = true
    local client = server.client and vim.lsp.get_client_by_id(server.client)
    if client then
      if has("0.11") then client:stop() else client.stop() end
    end
  end
end

function M.setup(given)
  options = vim.tbl_deep_extend("force", defaults, given or {})
  local acts = {
    approve = decide("augment.approveHunk"),
    reject = decide("augment.rejectHunk"),
    undo = M.undo,
    next = jump(1),
    previous = jump(-1),
    list = list,
    start = M.start,
    stop = M.stop,
  }
  local names = vim.tbl_keys(acts)
  table.sort(names)
  vim.api.nvim_create_user_command("Augment", function(how)
    local act = acts[how.args]
    if act then return act() end
    tell("There is no `:Augment " .. how.args .. "`, only " .. table.concat(names, ", ") .. ".", vim.log.levels.ERROR)
  end, { nargs = 1, complete = function() return names end })

  local group = vim.api.nvim_create_augroup("augment", { clear = true })
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile" }, {
    group = group,
    callback = function(event)
      local root = vim.bo[event.buf].buftype == "" and root_of(event.match)
      local server = root and servers[root]
      if root and not (server and server.is_stopped) then start(root) end
    end,
  })
end

return M
