# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
# What `cmake --install` puts where: the programs, their manual pages, completions and the documents. The completions are
# what the program prints at that moment.
include(GNUInstallDirs)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME iwarpscope)

install(TARGETS iwarpscope RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES docs/man/iwarpscope.1 docs/man/iwarpscope-client.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
# The daemon: program, unit, user, folders, configuration (below /usr it is in /etc), and what Prometheus and Grafana read.
install(TARGETS iwarpscoped RUNTIME DESTINATION ${CMAKE_INSTALL_SBINDIR})
install(FILES docs/man/iwarpscope.toml.5 DESTINATION ${CMAKE_INSTALL_MANDIR}/man5)
install(FILES docs/man/iwarpscoped.8 DESTINATION ${CMAKE_INSTALL_MANDIR}/man8)
install(FILES daemon/share/iwarpscope.sysusers DESTINATION lib/sysusers.d RENAME iwarpscope.conf)
install(FILES daemon/share/iwarpscope.tmpfiles DESTINATION lib/tmpfiles.d RENAME iwarpscope.conf)
install(FILES daemon/share/iwarpscope.rules.yml daemon/share/grafana-dashboard.json
        DESTINATION ${CMAKE_INSTALL_DATADIR}/iwarpscope)
# The interface for clients of other makers: pkg-config --variable=protodir iwarpscope
install(DIRECTORY daemon/api/iwarpscope DESTINATION ${CMAKE_INSTALL_DATADIR}/iwarpscope/proto
        FILES_MATCHING PATTERN "*.proto")
configure_file(cmake/iwarpscope.pc.in ${PROJECT_BINARY_DIR}/iwarpscope.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/iwarpscope.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)
# A unit that names the program where it is installed, and a file of configuration: below /usr it is in /etc.
function(iwarpscope_install_service component unit configuration)
  set(folder iwarpscope)
  if(component STREQUAL centre) # another user's, maybe on another machine
    set(folder iwarpscope-centre)
  endif()
  install(CODE "
    file(READ \"${PROJECT_SOURCE_DIR}/daemon/share/${unit}\" text)
    string(REPLACE /usr/sbin/ \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_SBINDIR}/\" text \"\${text}\")
    file(WRITE \"${PROJECT_BINARY_DIR}/systemd/${unit}\" \"\${text}\")
    if(CMAKE_INSTALL_PREFIX MATCHES \"^/usr/?$\")
      set(etc /etc)
    else()
      set(etc \"\${CMAKE_INSTALL_PREFIX}/etc\")
    endif()
    file(INSTALL \"${PROJECT_SOURCE_DIR}/daemon/share/${configuration}\" DESTINATION \"\${etc}/${folder}\")"
    COMPONENT ${component})
  install(FILES ${PROJECT_BINARY_DIR}/systemd/${unit} DESTINATION lib/systemd/system COMPONENT ${component})
endfunction()
iwarpscope_install_service(iwarpscope iwarpscoped.service iwarpscoped.toml)
install(CODE "
  execute_process(COMMAND \"${CMAKE_COMMAND}\" \"-DUNIT=${PROJECT_BINARY_DIR}/systemd/iwarpscoped.service\"
                          \"-DTEMPLATE=${PROJECT_BINARY_DIR}/systemd/iwarpscoped@.service\"
                          -P \"${PROJECT_SOURCE_DIR}/cmake/template_unit.cmake\" COMMAND_ERROR_IS_FATAL ANY)"
  COMPONENT iwarpscope)
install(FILES ${PROJECT_BINARY_DIR}/systemd/iwarpscoped@.service DESTINATION lib/systemd/system)
# What delivers the records of a sensor to the centre.
install(TARGETS iwarpscope-forward RUNTIME DESTINATION ${CMAKE_INSTALL_SBINDIR} COMPONENT forward)
install(FILES docs/man/iwarpscope-forward.8 DESTINATION ${CMAKE_INSTALL_MANDIR}/man8 COMPONENT forward)
install(FILES daemon/share/iwarpscope-forward.sysusers DESTINATION lib/sysusers.d RENAME iwarpscope-forward.conf COMPONENT forward)
iwarpscope_install_service(forward iwarpscope-forward.service forward.toml)
# The centre: program, manual page, timer, and how it reaches its database.
install(TARGETS iwarpscope-centre RUNTIME DESTINATION ${CMAKE_INSTALL_SBINDIR} COMPONENT centre)
install(FILES docs/man/iwarpscope-centre.8 DESTINATION ${CMAKE_INSTALL_MANDIR}/man8 COMPONENT centre)
install(FILES daemon/share/iwarpscope-centre.sysusers DESTINATION lib/sysusers.d RENAME iwarpscope-centre.conf COMPONENT centre)
iwarpscope_install_service(centre iwarpscope-centre-upkeep.service database.env)
iwarpscope_install_service(centre iwarpscope-centre.service centre.toml)
install(FILES daemon/share/iwarpscope-centre-upkeep.timer DESTINATION lib/systemd/system COMPONENT centre)
install(FILES daemon/share/prometheus-site.yml daemon/share/prometheus-sensors.yml daemon/share/grafana-site-dashboard.json
              daemon/share/iwarpscope-cluster.sql daemon/share/iwarpscope-clusters.sql
        DESTINATION ${CMAKE_INSTALL_DATADIR}/iwarpscope COMPONENT centre)
# Examples for the machines of its database: docs/site.md.
install(FILES daemon/share/patroni.yml daemon/share/etcd.env DESTINATION ${CMAKE_INSTALL_DATADIR}/iwarpscope-centre COMPONENT centre)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN man EXCLUDE)

# One shell: its file among the completions of all programs.
function(iwarpscope_install_completion shell directory name)
  set(printed ${PROJECT_BINARY_DIR}/completion/${shell}/${name})
  install(CODE "
    file(MAKE_DIRECTORY \"${PROJECT_BINARY_DIR}/completion/${shell}\")
    execute_process(COMMAND \"$<TARGET_FILE:iwarpscope>\" completion ${shell} OUTPUT_FILE \"${printed}\"
                    COMMAND_ERROR_IS_FATAL ANY)" COMPONENT iwarpscope)
  install(FILES ${printed} DESTINATION ${directory})
endfunction()
iwarpscope_install_completion(bash ${CMAKE_INSTALL_DATADIR}/bash-completion/completions iwarpscope)
iwarpscope_install_completion(zsh ${CMAKE_INSTALL_DATADIR}/zsh/site-functions _iwarpscope)
iwarpscope_install_completion(fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d iwarpscope.fish)

# The Wireshark plugin. With a system prefix it goes where the Wireshark that it was built for looks; below any other one
# it keeps that Wireshark's layout, to be named with WIRESHARK_PLUGIN_DIR. `plugin-for-me` needs no rights.
if(TARGET iwarpscope_plugin)
  set(from "$<TARGET_FILE:iwarpscope_plugin>")
  install(CODE "
    set(to \"${Wireshark_PLUGIN_INSTALL_DIR}/epan\")
    if(NOT CMAKE_INSTALL_PREFIX MATCHES \"^/usr(/local)?/?$\")
      set(to \"\${CMAKE_INSTALL_PREFIX}/${Wireshark_PLUGIN_LIBDIR}/epan\")
    endif()
    file(INSTALL \"${from}\" DESTINATION \"\${to}\" TYPE SHARED_LIBRARY)" COMPONENT plugin)
  set(to "\$HOME/.local/lib/wireshark/plugins/${IWARPSCOPE_WIRESHARK}/epan")
  add_custom_target(plugin-for-me
    COMMAND sh -c "mkdir -p \"${to}\" && cp \"$1\" \"${to}/\"" sh "${from}"
    DEPENDS iwarpscope_plugin VERBATIM
    COMMENT "The plugin for this user's Wireshark ${IWARPSCOPE_WIRESHARK}: ~/.local/lib/wireshark/plugins")
  # tests/install asks which files there must be.
  file(WRITE ${PROJECT_BINARY_DIR}/plugin-install-directory ${Wireshark_PLUGIN_LIBDIR}/epan)
endif()

if(IWARPSCOPE_GUI)
  install(TARGETS iwarpscope-gui RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT dashboard)
  install(FILES docs/man/iwarpscope-gui.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT dashboard)
  install(FILES gui/share/iwarpscope-gui.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT dashboard)
  install(FILES gui/share/iwarpscope-gui.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps
          COMPONENT dashboard)
  install(FILES gui/share/org.iwarpscope.iwarpscope_gui.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT dashboard)
endif()
